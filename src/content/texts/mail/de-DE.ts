import type { MailKey } from "../mail.ts";

export const texts = {
  "mail.greeting": "Hallo {FIRSTNAME},",
  "mail.greetingPlain": "Hallo,",
  "mail.linkHint": "Falls der Button nicht funktioniert, kopiere diese Adresse in deinen Browser:",
  "mail.ignore": "Wenn du das nicht warst, kannst du diese E-Mail einfach ignorieren. Es passiert nichts.",
  "mail.sign": "Dein {BRAND}-Team",
  "mail.footer.why": "Du bekommst diese E-Mail, weil diese Adresse bei {BRAND} angegeben wurde.",
  "mail.footer.help": "Fragen? Antworte einfach auf diese E-Mail.",

  "confirm.subject": "Bestätige deine E-Mail-Adresse",
  "confirm.preview": "Einmal tippen, und das Konto gehört dir.",
  "confirm.title": "Ist das deine E-Mail-Adresse?",
  "confirm.text": "Tippe auf den Button, um sie zu bestätigen. So finden dein Plan, dein Fortschritt und deine Belege immer zu dir.",
  "confirm.button": "E-Mail-Adresse bestätigen",
  "confirm.life": "Der Link gilt {HOURS, plural, one {# Stunde} other {# Stunden}}.",

  "loginLink.subject": "Dein Link zum Anmelden",
  "loginLink.preview": "Einmal tippen, und du bist drin. Ganz ohne Passwort.",
  "loginLink.title": "Hier geht’s rein",
  "loginLink.text": "Tippe auf den Button und mach da weiter, wo du warst. Ein Passwort brauchst du nicht.",
  "loginLink.button": "Anmelden",
  "loginLink.code": "Bist du an einem anderen Gerät? Gib diesen Code ein:",
  "loginLink.life": "Link und Code gelten einmal, {MINUTES, plural, one {# Minute} other {# Minuten}} lang.",
  "loginLink.lifeWithoutCode": "Der Link gilt einmal, {MINUTES, plural, one {# Minute} other {# Minuten}} lang.",

  "loginUnknown.subject": "Wir kennen diese E-Mail-Adresse noch nicht",
  "loginUnknown.preview": "Jemand wollte sich mit dieser Adresse anmelden.",
  "loginUnknown.title": "Zu dieser E-Mail-Adresse gibt es kein Konto",
  "loginUnknown.text":
    "Jemand hat einen Link zum Anmelden angefordert, vielleicht warst du es. Kann sein, dass du dich mit einer anderen Adresse registriert hast. Oder heute ist ein guter Tag, um anzufangen.",
  "loginUnknown.button": "Meinen Plan finden",

  "reset.subject": "Wähle ein neues Passwort",
  "reset.preview": "Hier ist der Link dafür.",
  "reset.title": "Ein neues Passwort",
  "reset.text":
    "Passwort vergessen? Das passiert allen mal. Tippe auf den Button und wähle ein neues. Du wirst dabei auf allen Geräten abgemeldet.",
  "reset.button": "Neues Passwort wählen",
  "reset.life": "Der Link gilt einmal, {MINUTES, plural, one {# Minute} other {# Minuten}} lang.",

  "passwordChanged.subject": "Dein Passwort wurde geändert",
  "passwordChanged.preview": "Auf allen deinen Geräten bist du jetzt abgemeldet.",
  "passwordChanged.title": "Neues Passwort gesetzt",
  "passwordChanged.text":
    "Das Passwort für dein Konto wurde gerade geändert. Zur Sicherheit bist du auf allen Geräten abgemeldet: Melde dich mit dem neuen an.",
  "passwordChanged.notYou": "Das warst du nicht? Dann wähle sofort ein anderes Passwort, und dein Konto gehört wieder nur dir.",
  "passwordChanged.button": "Anderes Passwort wählen",

  "emailChanged.subject": "Deine E-Mail-Adresse wurde geändert",
  "emailChanged.preview": "Dein Konto hat jetzt eine andere E-Mail-Adresse.",
  "emailChanged.title": "Neue E-Mail-Adresse",
  "emailChanged.text":
    "Die E-Mail-Adresse für dein Konto wurde gerade geändert. Ab jetzt meldest du dich mit der neuen an, und unsere E-Mails gehen dorthin. Diese hier ist die letzte an diese Adresse.",
  "emailChanged.notYou":
    "Das warst du nicht? Dann schreib uns sofort von dieser Adresse aus. Wir holen dir dein Konto zurück und melden alle anderen ab.",
  "emailChanged.button": "Konto zurückholen",

  "emailChange.subject": "Jemand ändert deine E-Mail-Adresse",
  "emailChange.preview": "Das warst du? Dann musst du nichts tun.",
  "emailChange.title": "Dein Konto soll eine andere Adresse bekommen",
  "emailChange.text":
    "Jemand möchte die E-Mail-Adresse deines Kontos ändern. Das geschieht, sobald die neue bestätigt ist; bis dahin gilt diese hier. Das warst du? Dann musst du nichts tun.",
  "emailChange.notYou":
    "Das warst du nicht? Dann hat jemand dein Passwort oder dein Gerät. Tippe auf den Button: Dein Konto behält diese Adresse, alle werden abgemeldet, und das Passwort gilt nicht mehr.",
  "emailChange.button": "Das war ich nicht",
  "emailChange.life": "Der Link gilt {DAYS, plural, one {# Tag} other {# Tage}}, auch wenn die neue Adresse schon bestätigt ist.",

  "confirmChange.subject": "Bestätige die neue E-Mail-Adresse eines Kontos",
  "confirmChange.preview": "Warst du das? Einmal tippen, und sie gilt. Sonst musst du nichts tun.",
  "confirmChange.title": "Neue E-Mail-Adresse für ein {BRAND}-Konto",
  "confirmChange.text":
    "Jemand möchte die E-Mail-Adresse eines {BRAND}-Kontos in diese hier ändern. Wenn du das warst, tippe auf den Button: Ab dann meldest du dich mit dieser Adresse an und bekommst unsere Nachrichten hierher.",
  "confirmChange.notYou": "Das warst du nicht? Dann tippe auf nichts: Es ändert sich nichts, und das Konto bekommt diese Adresse nicht.",
  "confirmChange.button": "Diese Adresse verwenden",
  "confirmChange.device":
    "Tippe am besten auf einem Gerät darauf, auf dem du angemeldet bist. Auf jedem anderen enden alle Sitzungen, und das Passwort gilt nicht mehr; du meldest dich dann mit einem Link an.",

  "payLink.subject": "Dein Link zum Bezahlen",
  "payLink.preview": "Dein Plan wartet, genau so, wie du ihn zusammengestellt hast.",
  "payLink.title": "Dein Plan wartet auf dich",
  "payLink.text": "Du hast den Link zur Bezahlseite angefordert. Öffne ihn auf dem Gerät, das dir passt: Deine Auswahl ist noch da.",
  "payLink.button": "Zur Bezahlseite",

  "cancelled.subject": "Dein Abo ist gekündigt",
  "cancelled.preview": "Es wird nichts mehr abgebucht.",
  "cancelled.title": "Kündigung bestätigt",
  "cancelled.received": "Deine Kündigung ist am {ON} bei uns eingegangen.",
  "cancelled.until": "Bis zum {DATE} behältst du alles. Danach endet dein Abo, und es wird nichts mehr abgebucht.",
  "cancelled.ended": "Dein Abo ist beendet, und es wird nichts mehr abgebucht.",
  "cancelled.back": "Falls du es dir anders überlegst: Dein Niveau und deine Antworten sind noch da.",
  "cancelled.button": "Mein Abo ansehen",

  "welcome.subject": "Dein {BRAND}-Programm hat begonnen",
  "welcome.preview": "So geht es weiter, in drei Schritten.",
  "welcome.title": "Dein Programm hat begonnen",
  "welcome.text": "Schön, dass du dabei bist. So geht es jetzt weiter:",
  "welcome.step1": "Lade die App herunter und melde dich mit dieser E-Mail-Adresse an.",
  "welcome.step2": "Mach den 5-minütigen Sprechtest.",
  "welcome.step3": "Starte deine erste Lektion.",
  "welcome.trial": "Deine kostenlose Testphase läuft bis zum {DATE}. Kündigst du vorher, zahlst du nichts.",
  "welcome.button": "App öffnen",

  "receipt.heading": "Dein Beleg",
  "receipt.item": "Plan",
  "receipt.months": "{BRAND}, {COUNT, plural, one {# Monat} other {# Monate}}",
  "receipt.weeks": "{BRAND}, {COUNT, plural, one {# Woche} other {# Wochen}}",
  "receipt.paid": "Heute bezahlt",
  "receipt.date": "Datum",
  "receipt.order": "Bestellnummer",
  "receipt.trialThen":
    "Am {DATE} beginnt dein Plan, und du zahlst {PRICE}. Danach verlängert er sich automatisch zum selben Preis, bis du kündigst.",
  "receipt.renews": "Dein Plan läuft bis zum {DATE} und verlängert sich danach automatisch zum selben Preis, bis du kündigst.",
  "receipt.oneTime": "Du hast einmal bezahlt. Dein Zugang läuft bis zum {DATE}, und nichts verlängert sich.",
  "receipt.manage": "Plan ansehen oder kündigen",
} satisfies Record<MailKey, string>;
