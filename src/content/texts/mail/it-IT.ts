import type { MailKey } from "../mail.ts";

export const texts = {
  "mail.greeting": "Ciao {FIRSTNAME},",
  "mail.greetingPlain": "Ciao,",
  "mail.linkHint": "Se il pulsante non funziona, copia e incolla questo indirizzo nel browser:",
  "mail.ignore": "Se la richiesta non è tua, ignora pure questa e-mail: non succederà nulla.",
  "mail.sign": "Il team di {BRAND}",
  "mail.footer.why": "Ricevi questa e-mail perché questo indirizzo è stato indicato su {BRAND}.",
  "mail.footer.help": "Hai domande? Rispondi a questa e-mail.",

  "confirm.subject": "Conferma la tua e-mail",
  "confirm.preview": "Un tocco e l’account è tuo.",
  "confirm.title": "Questa e-mail è tua?",
  "confirm.text": "Tocca il pulsante per confermarla. Così il tuo piano, i tuoi progressi e le tue ricevute ti arrivano sempre.",
  "confirm.button": "Conferma la tua e-mail",
  "confirm.life": "Il link è valido per {HOURS, plural, one {# ora} other {# ore}}.",

  "loginLink.subject": "Il tuo link per accedere",
  "loginLink.preview": "Un tocco e sei dentro, senza password.",
  "loginLink.title": "Si entra da qui",
  "loginLink.text": "Tocca il pulsante e riprendi da dove avevi lasciato. Non serve la password.",
  "loginLink.button": "Accedi",
  "loginLink.code": "Sei su un altro dispositivo? Inserisci questo codice:",
  "loginLink.life": "Il link e il codice valgono una sola volta, per {MINUTES, plural, one {# minuto} other {# minuti}}.",
  "loginLink.lifeWithoutCode": "Il link vale una sola volta, per {MINUTES, plural, one {# minuto} other {# minuti}}.",

  "loginUnknown.subject": "Non conosciamo ancora questa e-mail",
  "loginUnknown.preview": "Qualcuno ha chiesto un link per accedere con questo indirizzo.",
  "loginUnknown.title": "Non c’è nessun account con questa e-mail",
  "loginUnknown.text":
    "Qualcuno ha chiesto un link per accedere. Se eri tu, forse hai usato un altro indirizzo. O magari oggi è il giorno giusto per cominciare.",
  "loginUnknown.button": "Trova il tuo piano",

  "reset.subject": "Scegli una nuova password",
  "reset.preview": "Ecco il link per cambiarla.",
  "reset.title": "Una nuova password",
  "reset.text": "Capita a tutti. Tocca il pulsante e scegline una nuova. La sessione verrà chiusa su tutti i dispositivi.",
  "reset.button": "Scegli una nuova password",
  "reset.life": "Il link vale una sola volta, per {MINUTES, plural, one {# minuto} other {# minuti}}.",

  "passwordChanged.subject": "La tua password è cambiata",
  "passwordChanged.preview": "Abbiamo chiuso le sessioni su tutti i tuoi dispositivi.",
  "passwordChanged.title": "Nuova password impostata",
  "passwordChanged.text":
    "La password del tuo account è appena stata cambiata. Per sicurezza abbiamo chiuso le sessioni su tutti i dispositivi: accedi con quella nuova.",
  "passwordChanged.notYou": "Non hai fatto tu questa modifica? Scegli subito un’altra password e l’account tornerà a essere solo tuo.",
  "passwordChanged.button": "Scegli un’altra password",

  "emailChanged.subject": "L’e-mail del tuo account è cambiata",
  "emailChanged.preview": "Il tuo account ora ha un altro indirizzo e-mail.",
  "emailChanged.title": "Nuovo indirizzo e-mail",
  "emailChanged.text":
    "L’e-mail del tuo account è appena stata cambiata. D’ora in poi accedi con quella nuova e i nostri messaggi arrivano lì: questo è l’ultimo a questo indirizzo.",
  "emailChanged.notYou":
    "Non hai fatto tu questa modifica? Scrivici subito da questo indirizzo: ti restituiamo l’account e chiudiamo ogni altra sessione.",
  "emailChanged.button": "Recupera il tuo account",

  "emailChange.subject": "Qualcuno vuole cambiare la tua e-mail",
  "emailChange.preview": "Vuoi cambiarla tu? Allora non devi fare nulla.",
  "emailChange.title": "Il tuo account sta per cambiare e-mail",
  "emailChange.text":
    "Qualcuno ha chiesto di cambiare l’e-mail del tuo account. Il cambio avviene quando la nuova viene confermata; fino ad allora vale questa. Se la richiesta è tua, non devi fare nulla.",
  "emailChange.notYou":
    "Se la richiesta non è tua, qualcuno ha la tua password o il tuo dispositivo. Tocca il pulsante: il tuo account mantiene questa e-mail, tutte le sessioni si chiudono e la password non vale più.",
  "emailChange.button": "Non è una mia richiesta",
  "emailChange.life": "Il link vale {DAYS, plural, one {# giorno} other {# giorni}}, anche dopo la conferma della nuova e-mail.",

  "confirmChange.subject": "Conferma la nuova e-mail di un account",
  "confirmChange.preview": "La richiesta è tua? Basta un tocco. Altrimenti non devi fare nulla.",
  "confirmChange.title": "Nuova e-mail per un account {BRAND}",
  "confirmChange.text":
    "Qualcuno ha chiesto che l’e-mail di un account {BRAND} diventi questa. Se la richiesta è tua, tocca il pulsante: da quel momento accedi con questo indirizzo e i nostri messaggi arrivano qui.",
  "confirmChange.notYou": "La richiesta non è tua? Allora non toccare nulla: non cambia niente e quell’account non avrà questo indirizzo.",
  "confirmChange.button": "Usa questa e-mail",
  "confirmChange.device":
    "Toccalo su un dispositivo su cui hai già effettuato l’accesso. Su qualsiasi altro si chiudono tutte le sessioni e la password non vale più; poi accedi con un link.",

  "payLink.subject": "Il tuo link per pagare",
  "payLink.preview": "Il tuo piano ti aspetta, proprio come l’hai lasciato.",
  "payLink.title": "Il tuo piano ti sta aspettando",
  "payLink.text": "Ci hai chiesto il link alla pagina di pagamento. Aprilo sul dispositivo che preferisci: la tua scelta è ancora lì.",
  "payLink.button": "Vai alla pagina di pagamento",

  "cancelled.subject": "Il tuo piano è disdetto",
  "cancelled.preview": "Non ti verrà addebitato altro.",
  "cancelled.title": "Piano disdetto",
  "cancelled.received": "Disdetta ricevuta: {ON}.",
  "cancelled.until": "Hai tutto fino al giorno {DATE}. Poi il piano finisce e non ti verrà addebitato altro.",
  "cancelled.ended": "Il piano è terminato e non ti verrà addebitato altro.",
  "cancelled.back": "Se cambi idea, il tuo livello e le tue risposte sono ancora qui.",
  "cancelled.button": "Vedi il mio piano",

  "welcome.subject": "Il tuo piano {BRAND} è cominciato",
  "welcome.preview": "Che cosa succede ora, in tre passi.",
  "welcome.title": "Il tuo percorso con l’inglese è cominciato",
  "welcome.text": "Che bello averti con noi. Ecco che cosa fare adesso:",
  "welcome.step1": "Scarica l’app e accedi con questa e-mail.",
  "welcome.step2": "Fai il test orale di 5 minuti.",
  "welcome.step3": "Inizia la tua prima lezione.",
  "welcome.trial": "La prova gratuita dura fino al giorno {DATE}. Se disdici prima, non paghi nulla.",
  "welcome.button": "Apri l’app",

  "receipt.heading": "La tua ricevuta",
  "receipt.item": "Piano",
  "receipt.months": "{BRAND}, {COUNT, plural, one {# mese} other {# mesi}}",
  "receipt.weeks": "{BRAND}, {COUNT, plural, one {# settimana} other {# settimane}}",
  "receipt.paid": "Pagato oggi",
  "receipt.date": "Data",
  "receipt.order": "Numero d’ordine",
  "receipt.trialThen":
    "Il giorno {DATE} inizia il tuo piano e paghi {PRICE}. Poi si rinnova automaticamente, allo stesso prezzo, finché non disdici.",
  "receipt.renews": "Il tuo piano dura fino al giorno {DATE} e poi si rinnova automaticamente, allo stesso prezzo, finché non disdici.",
  "receipt.oneTime": "Hai pagato una volta sola. Hai accesso fino al giorno {DATE}, senza rinnovi.",
  "receipt.manage": "Vedi o disdici il tuo piano",
} satisfies Record<MailKey, string>;
