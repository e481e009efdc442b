import type { MailKey } from "../mail.ts";

export const texts = {
  "mail.greeting": "Hola, {FIRSTNAME}:",
  "mail.greetingPlain": "Hola:",
  "mail.linkHint": "Si el botón no funciona, copia esta dirección en tu navegador:",
  "mail.ignore": "Si no fuiste tú, ignora este correo. No pasa nada.",
  "mail.sign": "El equipo de {BRAND}",
  "mail.footer.why": "Te llegó este correo porque alguien dio esta dirección en {BRAND}.",
  "mail.footer.help": "¿Dudas? Responde este correo.",

  "confirm.subject": "Confirma tu correo",
  "confirm.preview": "Un toque y tu cuenta es tuya.",
  "confirm.title": "¿Este correo es tuyo?",
  "confirm.text": "Toca el botón para confirmarlo. Así tu plan, tu avance y tus recibos siempre te llegan.",
  "confirm.button": "Confirmar mi correo",
  "confirm.life": "El enlace sirve durante {HOURS, plural, one {# hora} other {# horas}}.",

  "loginLink.subject": "Tu enlace para entrar",
  "loginLink.preview": "Un toque y ya estás dentro, sin contraseña.",
  "loginLink.title": "Por aquí se entra",
  "loginLink.text": "Toca el botón y sigue donde ibas. No necesitas contraseña.",
  "loginLink.button": "Entrar",
  "loginLink.code": "¿Estás en otro dispositivo? Escribe este código:",
  "loginLink.life": "El enlace y el código sirven una sola vez, durante {MINUTES, plural, one {# minuto} other {# minutos}}.",
  "loginLink.lifeWithoutCode": "El enlace sirve una sola vez, durante {MINUTES, plural, one {# minuto} other {# minutos}}.",

  "loginUnknown.subject": "Todavía no conocemos este correo",
  "loginUnknown.preview": "Alguien pidió un enlace para entrar con esta dirección.",
  "loginUnknown.title": "No hay ninguna cuenta con este correo",
  "loginUnknown.text":
    "Alguien pidió un enlace para entrar, quizá tú. Puede que te hayas registrado con otra dirección. O tal vez hoy es buen día para empezar.",
  "loginUnknown.button": "Encontrar mi plan",

  "reset.subject": "Elige una contraseña nueva",
  "reset.preview": "Aquí está el enlace para cambiarla.",
  "reset.title": "Una contraseña nueva",
  "reset.text": "A todos nos pasa. Toca el botón y elige una nueva. Se va a cerrar la sesión en todos tus dispositivos.",
  "reset.button": "Elegir contraseña nueva",
  "reset.life": "El enlace sirve una sola vez, durante {MINUTES, plural, one {# minuto} other {# minutos}}.",

  "passwordChanged.subject": "Cambió tu contraseña",
  "passwordChanged.preview": "Se cerró la sesión en todos tus dispositivos.",
  "passwordChanged.title": "Contraseña nueva lista",
  "passwordChanged.text":
    "Se acaba de cambiar la contraseña de tu cuenta. Por tu seguridad cerramos la sesión en todos los dispositivos: entra con la nueva.",
  "passwordChanged.notYou": "¿No fuiste tú? Elige otra contraseña ahora mismo y tu cuenta vuelve a ser solo tuya.",
  "passwordChanged.button": "Elegir otra contraseña",

  "emailChanged.subject": "Cambió el correo de tu cuenta",
  "emailChanged.preview": "Tu cuenta ahora tiene otro correo.",
  "emailChanged.title": "Correo nuevo",
  "emailChanged.text":
    "Se acaba de cambiar el correo de tu cuenta. Desde ahora entras con el nuevo y ahí te llegan nuestros mensajes; este es el último a esta dirección.",
  "emailChanged.notYou":
    "¿No fuiste tú? Escríbenos ahora mismo desde este correo: te devolvemos tu cuenta y cerramos cualquier otra sesión.",
  "emailChanged.button": "Recuperar mi cuenta",

  "emailChange.subject": "Alguien quiere cambiar tu correo",
  "emailChange.preview": "¿Fuiste tú? Entonces no tienes que hacer nada.",
  "emailChange.title": "Tu cuenta va a tener otro correo",
  "emailChange.text":
    "Alguien pidió cambiar el correo de tu cuenta. El cambio se hace cuando se confirme el nuevo; mientras tanto, vale este. Si fuiste tú, no tienes que hacer nada.",
  "emailChange.notYou":
    "Si no fuiste tú, alguien tiene tu contraseña o tu dispositivo. Toca el botón: tu cuenta se queda con este correo, se cierran todas las sesiones y la contraseña deja de servir.",
  "emailChange.button": "No fui yo",
  "emailChange.life": "El enlace sirve durante {DAYS, plural, one {# día} other {# días}}, aunque ya se haya confirmado el correo nuevo.",

  "confirmChange.subject": "Confirma el nuevo correo de una cuenta",
  "confirmChange.preview": "¿Fuiste tú? Un toque y listo. Si no, no tienes que hacer nada.",
  "confirmChange.title": "Nuevo correo para una cuenta de {BRAND}",
  "confirmChange.text":
    "Alguien pidió que el correo de una cuenta de {BRAND} pase a ser este. Si fuiste tú, toca el botón: desde ese momento entras con este correo y aquí te llegan nuestros mensajes.",
  "confirmChange.notYou": "¿No fuiste tú? Entonces no toques nada: no cambia nada y esa cuenta se queda sin este correo.",
  "confirmChange.button": "Usar este correo",
  "confirmChange.device":
    "Tócalo en un dispositivo en el que tengas abierta tu cuenta. En cualquier otro se cierran todas las sesiones y la contraseña deja de servir; después entras con un enlace.",

  "payLink.subject": "Tu enlace de pago",
  "payLink.preview": "Todo está tal como lo dejaste.",
  "payLink.title": "Tu plan te está esperando",
  "payLink.text": "Nos pediste el enlace a la página de pago. Ábrelo en el dispositivo que quieras: lo que elegiste sigue ahí.",
  "payLink.button": "Ir a la página de pago",

  "cancelled.subject": "Tu plan quedó cancelado",
  "cancelled.preview": "No se te cobrará nada más.",
  "cancelled.title": "Cancelamos tu plan",
  "cancelled.received": "Recibimos tu cancelación el {ON}.",
  "cancelled.until": "Tienes todo hasta el {DATE}. Después tu plan termina y no se te cobra nada más.",
  "cancelled.ended": "Tu plan ya terminó y no se te cobrará nada más.",
  "cancelled.back": "Si cambias de idea, tu nivel y tus respuestas siguen aquí.",
  "cancelled.button": "Ver mi plan",

  "welcome.subject": "Tu plan de {BRAND} ya empezó",
  "welcome.preview": "Lo que sigue, en tres pasos.",
  "welcome.title": "Tu programa ya empezó",
  "welcome.text": "Gracias por empezar. Esto es lo que sigue:",
  "welcome.step1": "Descarga la app y entra con este correo.",
  "welcome.step2": "Haz el test oral de 5 minutos.",
  "welcome.step3": "Empieza tu primera lección.",
  "welcome.trial": "Tu prueba gratis dura hasta el {DATE}. Si cancelas antes, no pagas nada.",
  "welcome.button": "Abrir la app",

  "receipt.heading": "Tu recibo",
  "receipt.item": "Plan",
  "receipt.months": "{BRAND}, {COUNT, plural, one {# mes} other {# meses}}",
  "receipt.weeks": "{BRAND}, {COUNT, plural, one {# semana} other {# semanas}}",
  "receipt.paid": "Pagaste hoy",
  "receipt.date": "Fecha",
  "receipt.order": "Número de pedido",
  "receipt.trialThen": "El {DATE} empieza tu plan y pagas {PRICE}. Después se renueva solo, al mismo precio, hasta que canceles.",
  "receipt.renews": "Tu plan dura hasta el {DATE} y luego se renueva solo, al mismo precio, hasta que canceles.",
  "receipt.oneTime": "Pagaste una sola vez. Tienes acceso hasta el {DATE} y no se renueva.",
  "receipt.manage": "Ver o cancelar mi plan",
} satisfies Record<MailKey, string>;
