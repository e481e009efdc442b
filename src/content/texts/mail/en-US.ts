/** The mails' texts in US English, by mail. `preview` is what a mailbox shows beside the subject. */
export const texts = {
  "mail.greeting": "Hi {FIRSTNAME},",
  "mail.greetingPlain": "Hi,",
  "mail.linkHint": "If the button doesn’t work, copy this address into your browser:",
  "mail.ignore": "If this wasn’t you, just ignore this email. Nothing will happen.",
  "mail.sign": "The {BRAND} team",
  "mail.footer.why": "You’re getting this email because someone entered this address at {BRAND}.",
  "mail.footer.help": "Questions? Just reply to this email.",

  "confirm.subject": "Confirm your email",
  "confirm.preview": "One tap and your account is yours.",
  "confirm.title": "Is this your email?",
  "confirm.text": "Tap the button to confirm it. That way your plan, your progress and your receipts always find you.",
  "confirm.button": "Confirm my email",
  "confirm.life": "The link works for {HOURS, plural, one {# hour} other {# hours}}.",

  "loginLink.subject": "Your login link",
  "loginLink.preview": "One tap and you’re in, no password needed.",
  "loginLink.title": "Here’s your way in",
  "loginLink.text": "Tap the button and pick up where you left off. No password needed.",
  "loginLink.button": "Log in",
  "loginLink.code": "On another device? Type this code:",
  "loginLink.life": "The link and the code work once, for {MINUTES, plural, one {# minute} other {# minutes}}.",
  "loginLink.lifeWithoutCode": "The link works once, for {MINUTES, plural, one {# minute} other {# minutes}}.",

  "loginUnknown.subject": "We don’t know this email yet",
  "loginUnknown.preview": "Someone asked for a login link for this address.",
  "loginUnknown.title": "There’s no account with this email",
  "loginUnknown.text":
    "Someone asked for a login link, maybe you. Perhaps you signed up with a different address. Or maybe today is a good day to start.",
  "loginUnknown.button": "Find my plan",

  "reset.subject": "Choose a new password",
  "reset.preview": "Here’s the link to set a new one.",
  "reset.title": "A new password",
  "reset.text": "It happens to everyone. Tap the button and choose a new one. You’ll be logged out on all devices.",
  "reset.button": "Choose a new password",
  "reset.life": "The link works once, for {MINUTES, plural, one {# minute} other {# minutes}}.",

  "passwordChanged.subject": "Your password was changed",
  "passwordChanged.preview": "You’ve been logged out on all devices.",
  "passwordChanged.title": "New password set",
  "passwordChanged.text":
    "The password for your account was just changed. For your safety, we’ve logged you out on all devices; log in with the new one.",
  "passwordChanged.notYou": "If this wasn’t you, choose another password right away, and your account will be yours alone again.",
  "passwordChanged.button": "Choose another password",

  "emailChanged.subject": "Your email was changed",
  "emailChanged.preview": "Your account now has another email address.",
  "emailChanged.title": "New email address",
  "emailChanged.text":
    "The email on your account was just changed. From now on, you log in with the new address, and our emails go there; this is the last one to this address.",
  "emailChanged.notYou":
    "If this wasn’t you, write to us right away from this address. We’ll give you your account back and log everyone else out.",
  "emailChanged.button": "Get my account back",

  "emailChange.subject": "Someone is changing your email",
  "emailChange.preview": "Was it you? Then there’s nothing to do here.",
  "emailChange.title": "Your account is to get another address",
  "emailChange.text":
    "Someone asked to change the email address of your account. It changes when the new address is confirmed; until then, this one counts. If that was you, there’s nothing to do here.",
  "emailChange.notYou":
    "If it wasn’t you, somebody has your password or your device. Tap the button: your account keeps this address, everybody is logged out, and the password stops working.",
  "emailChange.button": "It wasn’t me",
  "emailChange.life": "The link works for {DAYS, plural, one {# day} other {# days}}, even after the new address was confirmed.",

  "confirmChange.subject": "Confirm the new email of an account",
  "confirmChange.preview": "Asked for it? One tap and it counts. If not, there’s nothing to do here.",
  "confirmChange.title": "New email for a {BRAND} account",
  "confirmChange.text":
    "Someone asked for the email of a {BRAND} account to be changed to this address. If that was you, tap the button: from then on you log in with this address, and our messages come here.",
  "confirmChange.notYou": "Wasn’t it you? Then don’t tap anything: nothing changes, and that account doesn’t get this address.",
  "confirmChange.button": "Use this email",
  "confirmChange.device":
    "Tap it on a device where you’re logged in. On any other, every session ends and the password stops working; you then log in with a link.",

  "payLink.subject": "Your payment link",
  "payLink.preview": "Your plan is waiting, just as you left it.",
  "payLink.title": "Your plan is waiting for you",
  "payLink.text": "You asked us for the link to the payment page. Open it on any device: your choice is still there.",
  "payLink.button": "Go to the payment page",

  "cancelled.subject": "Your plan is canceled",
  "cancelled.preview": "You won’t be charged again.",
  "cancelled.title": "Your plan is canceled",
  "cancelled.received": "We received your cancellation on {ON}.",
  "cancelled.until": "You keep everything until {DATE}. After that, your plan ends and you won’t be charged again.",
  "cancelled.ended": "Your plan has ended and you won’t be charged again.",
  "cancelled.back": "If you change your mind, your level and your answers are still here.",
  "cancelled.button": "See my plan",

  "welcome.subject": "Your {BRAND} program has begun",
  "welcome.preview": "What happens next, in three steps.",
  "welcome.title": "Your program has begun",
  "welcome.text": "We’re glad you’re here. Here’s what comes next:",
  "welcome.step1": "Download the app and log in with this email.",
  "welcome.step2": "Take the 5-minute speaking test.",
  "welcome.step3": "Start your first lesson.",
  "welcome.trial": "Your free trial runs until {DATE}. If you cancel before then, you pay nothing.",
  "welcome.button": "Open the app",

  "receipt.heading": "Your receipt",
  "receipt.item": "Plan",
  "receipt.months": "{BRAND}, {COUNT, plural, one {# month} other {# months}}",
  "receipt.weeks": "{BRAND}, {COUNT, plural, one {# week} other {# weeks}}",
  "receipt.paid": "Paid today",
  "receipt.date": "Date",
  "receipt.order": "Order number",
  "receipt.trialThen":
    "On {DATE} your plan begins and you pay {PRICE}. After that, it renews automatically at the same price until you cancel.",
  "receipt.renews": "Your plan runs until {DATE} and then renews automatically at the same price until you cancel.",
  "receipt.oneTime": "You paid once. Your access runs until {DATE} and nothing renews.",
  "receipt.manage": "See or cancel your plan",
} satisfies Record<string, string>;
