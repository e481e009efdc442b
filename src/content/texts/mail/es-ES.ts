import type { MailKey } from "../mail.ts";

export const texts = {
  "mail.greeting": "Hola, {FIRSTNAME}:",
  "mail.greetingPlain": "Hola:",
  "mail.linkHint": "Si el botón no funciona, copia esta dirección en el navegador:",
  "mail.ignore": "Si no has sido tú, no hagas caso de este correo. No pasará nada.",
  "mail.sign": "El equipo de {BRAND}",
  "mail.footer.why": "Recibes este correo porque alguien ha indicado esta dirección en {BRAND}.",
  "mail.footer.help": "¿Alguna duda? Responde a este correo.",

  "confirm.subject": "Confirma tu correo electrónico",
  "confirm.preview": "Un toque y la cuenta es tuya.",
  "confirm.title": "¿Es este tu correo?",
  "confirm.text": "Pulsa el botón para confirmarlo. Así tu plan, tu progreso y tus recibos siempre te llegarán.",
  "confirm.button": "Confirmar mi correo",
  "confirm.life": "El enlace es válido durante {HOURS, plural, one {# hora} other {# horas}}.",

  "loginLink.subject": "Tu enlace para entrar",
  "loginLink.preview": "Un toque y estás dentro, sin contraseña.",
  "loginLink.title": "Por aquí se entra",
  "loginLink.text": "Pulsa el botón y sigue donde lo dejaste. No hace falta contraseña.",
  "loginLink.button": "Entrar",
  "loginLink.code": "¿Estás en otro dispositivo? Introduce este código:",
  "loginLink.life": "El enlace y el código sirven una sola vez, durante {MINUTES, plural, one {# minuto} other {# minutos}}.",
  "loginLink.lifeWithoutCode": "El enlace sirve una sola vez, durante {MINUTES, plural, one {# minuto} other {# minutos}}.",

  "loginUnknown.subject": "Todavía no conocemos este correo",
  "loginUnknown.preview": "Alguien ha pedido un enlace para entrar con esta dirección.",
  "loginUnknown.title": "No hay ninguna cuenta con este correo",
  "loginUnknown.text":
    "Alguien ha pedido un enlace para entrar, quizá tú. Puede que te registraras con otra dirección. O a lo mejor hoy es un buen día para empezar.",
  "loginUnknown.button": "Encontrar mi plan",

  "reset.subject": "Elige una contraseña nueva",
  "reset.preview": "Aquí tienes el enlace para cambiarla.",
  "reset.title": "Una contraseña nueva",
  "reset.text": "Nos pasa a todos. Pulsa el botón y elige una nueva. Se cerrará la sesión en todos tus dispositivos.",
  "reset.button": "Elegir una contraseña nueva",
  "reset.life": "El enlace sirve una sola vez, durante {MINUTES, plural, one {# minuto} other {# minutos}}.",

  "passwordChanged.subject": "Tu contraseña ha cambiado",
  "passwordChanged.preview": "Hemos cerrado la sesión en todos tus dispositivos.",
  "passwordChanged.title": "Ya tienes contraseña nueva",
  "passwordChanged.text":
    "Se acaba de cambiar la contraseña de tu cuenta. Por seguridad hemos cerrado la sesión en todos los dispositivos: entra con la nueva.",
  "passwordChanged.notYou": "¿No has sido tú? Elige otra contraseña cuanto antes y tu cuenta volverá a ser solo tuya.",
  "passwordChanged.button": "Elegir otra contraseña",

  "emailChanged.subject": "El correo de tu cuenta ha cambiado",
  "emailChanged.preview": "Tu cuenta tiene ahora otro correo.",
  "emailChanged.title": "Nuevo correo electrónico",
  "emailChanged.text":
    "Se acaba de cambiar el correo de tu cuenta. A partir de ahora entras con el nuevo y allí recibirás nuestros mensajes; este es el último que enviamos a esta dirección.",
  "emailChanged.notYou":
    "¿No has sido tú? Escríbenos cuanto antes desde este correo: te devolveremos tu cuenta y cerraremos las demás sesiones.",
  "emailChanged.button": "Recuperar mi cuenta",

  "emailChange.subject": "Alguien quiere cambiar tu correo",
  "emailChange.preview": "¿Has sido tú? Entonces no tienes que hacer nada.",
  "emailChange.title": "Tu cuenta va a tener otro correo",
  "emailChange.text":
    "Alguien ha pedido cambiar el correo de tu cuenta. El cambio se hará cuando se confirme el nuevo; hasta entonces vale este. Si has sido tú, no tienes que hacer nada.",
  "emailChange.notYou":
    "Si no has sido tú, alguien tiene tu contraseña o tu dispositivo. Pulsa el botón: tu cuenta conserva este correo, se cierran todas las sesiones y la contraseña deja de valer.",
  "emailChange.button": "No he sido yo",
  "emailChange.life":
    "El enlace funciona durante {DAYS, plural, one {# día} other {# días}}, aunque ya se haya confirmado el nuevo correo.",

  "confirmChange.subject": "Confirma el nuevo correo de una cuenta",
  "confirmChange.preview": "¿Has sido tú? Un toque y listo. Si no, no tienes que hacer nada.",
  "confirmChange.title": "Nuevo correo para una cuenta de {BRAND}",
  "confirmChange.text":
    "Alguien ha pedido que el correo de una cuenta de {BRAND} pase a ser este. Si has sido tú, pulsa el botón: a partir de ese momento entras con este correo y aquí recibes nuestros mensajes.",
  "confirmChange.notYou": "¿No has sido tú? Entonces no pulses nada: no cambia nada y esa cuenta se queda sin este correo.",
  "confirmChange.button": "Usar este correo",
  "confirmChange.device":
    "Púlsalo en un dispositivo en el que tengas la sesión abierta. En cualquier otro se cierran todas las sesiones y la contraseña deja de valer; después entras con un enlace.",

  "payLink.subject": "Tu enlace de pago",
  "payLink.preview": "Tu plan te espera tal y como lo dejaste.",
  "payLink.title": "Tu plan te está esperando",
  "payLink.text": "Nos has pedido el enlace a la página de pago. Ábrelo en el dispositivo que prefieras: lo que elegiste sigue ahí.",
  "payLink.button": "Ir a la página de pago",

  "cancelled.subject": "Tu plan está cancelado",
  "cancelled.preview": "No te cobraremos nada más.",
  "cancelled.title": "Hemos cancelado tu plan",
  "cancelled.received": "Recibimos tu cancelación el {ON}.",
  "cancelled.until": "Conservas todo hasta el {DATE}. Después, tu plan termina y no te cobraremos nada más.",
  "cancelled.ended": "Tu plan ya ha terminado y no te cobraremos nada más.",
  "cancelled.back": "Si cambias de idea, tu nivel y tus respuestas siguen aquí.",
  "cancelled.button": "Ver mi plan",

  "welcome.subject": "Tu plan de {BRAND} ya ha empezado",
  "welcome.preview": "Lo que viene ahora, en tres pasos.",
  "welcome.title": "Tu programa ya ha empezado",
  "welcome.text": "Gracias por empezar. Esto es lo que viene ahora:",
  "welcome.step1": "Descárgate la app y entra con este correo.",
  "welcome.step2": "Haz la prueba oral de 5 minutos.",
  "welcome.step3": "Empieza tu primera lección.",
  "welcome.trial": "Tu prueba gratuita dura hasta el {DATE}. Si la cancelas antes, no pagas nada.",
  "welcome.button": "Abrir la app",

  "receipt.heading": "Tu recibo",
  "receipt.item": "Plan",
  "receipt.months": "{BRAND}, {COUNT, plural, one {# mes} other {# meses}}",
  "receipt.weeks": "{BRAND}, {COUNT, plural, one {# semana} other {# semanas}}",
  "receipt.paid": "Pagado hoy",
  "receipt.date": "Fecha",
  "receipt.order": "Número de pedido",
  "receipt.trialThen":
    "El {DATE} empieza tu plan y pagas {PRICE}. Después se renueva automáticamente, al mismo precio, hasta que lo canceles.",
  "receipt.renews": "Tu plan dura hasta el {DATE} y después se renueva automáticamente, al mismo precio, hasta que lo canceles.",
  "receipt.oneTime": "Es un pago único. Tienes acceso hasta el {DATE} y no se renueva nada.",
  "receipt.manage": "Ver o cancelar mi plan",
} satisfies Record<MailKey, string>;
