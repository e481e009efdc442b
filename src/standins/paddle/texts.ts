/** The form's texts by language. Paddle has European (`pt`) and Brazilian Portuguese (`pt-BR`); here one serves both. */
export interface FormTexts {
  readonly title: string;
  readonly email: string;
  readonly emailError: string;
  readonly number: string;
  readonly expiry: string;
  readonly expiryPlaceholder: string;
  readonly cvc: string;
  readonly name: string;
  readonly namePlaceholder: string;
  readonly cardError: string;
  readonly payNow: string;
  readonly startTrial: string;
  readonly subscribe: string;
  readonly paying: string;
  readonly declined: string;
  readonly refused: string;
  readonly failed: string;
  readonly challengeTitle: string;
  readonly challengeText: string;
  readonly approve: string;
  readonly reject: string;
  readonly done: string;
  readonly testMode: string;
  readonly card: string;
  readonly saveCard: string;
  readonly cardSaved: string;
}

const formTexts: Readonly<Record<"en" | "es" | "pt" | "it" | "de", FormTexts>> = {
  en: {
    title: "Payment",
    email: "Email",
    emailError: "Check the email address.",
    number: "Card number",
    expiry: "Expiry date",
    expiryPlaceholder: "MM / YY",
    cvc: "Security code (CVC)",
    name: "Name on card",
    namePlaceholder: "As it appears on the card",
    cardError: "Check the card details.",
    payNow: "Pay now",
    startTrial: "Start free trial",
    subscribe: "Subscribe now",
    paying: "One moment…",
    declined: "Your bank declined the card. Please try another one.",
    refused: "Your bank could not confirm it was you. Please try again.",
    failed: "That did not work. Nothing was charged; please try again.",
    challengeTitle: "Confirm your payment",
    challengeText: "Your bank wants to be sure it is you.",
    approve: "Confirm",
    reject: "Cancel",
    done: "Payment received. Thank you!",
    testMode: "Test mode: no real money moves.",
    card: "Card",
    saveCard: "Save card",
    cardSaved: "Your new card is saved. You can close this page.",
  },
  es: {
    title: "Pago",
    email: "Correo",
    emailError: "Revisa el correo.",
    number: "Número de tarjeta",
    expiry: "Vencimiento",
    expiryPlaceholder: "MM / AA",
    cvc: "Código (CVC)",
    name: "Nombre en la tarjeta",
    namePlaceholder: "Como aparece en la tarjeta",
    cardError: "Revisa los datos de la tarjeta.",
    payNow: "Pagar ahora",
    startTrial: "Empezar la prueba gratis",
    subscribe: "Suscribirme ahora",
    paying: "Un momento…",
    declined: "Tu banco rechazó la tarjeta. Prueba con otra.",
    refused: "Tu banco no pudo confirmar que eres tú. Inténtalo de nuevo.",
    failed: "No se pudo completar. No se cobró nada; inténtalo de nuevo.",
    challengeTitle: "Confirma tu pago",
    challengeText: "Tu banco quiere asegurarse de que eres tú.",
    approve: "Confirmar",
    reject: "Cancelar",
    done: "Pago recibido. ¡Gracias!",
    testMode: "Modo de prueba: no se mueve dinero real.",
    card: "Tarjeta",
    saveCard: "Guardar tarjeta",
    cardSaved: "Tu tarjeta nueva quedó guardada. Puedes cerrar esta página.",
  },
  pt: {
    title: "Pagamento",
    email: "E-mail",
    emailError: "Confira o e-mail.",
    number: "Número do cartão",
    expiry: "Validade",
    expiryPlaceholder: "MM / AA",
    cvc: "Código (CVC)",
    name: "Nome no cartão",
    namePlaceholder: "Como aparece no cartão",
    cardError: "Confira os dados do cartão.",
    payNow: "Pagar agora",
    startTrial: "Começar o período grátis",
    subscribe: "Assinar agora",
    paying: "Só um momento…",
    declined: "Seu banco recusou o cartão. Tente com outro.",
    refused: "Seu banco não conseguiu confirmar que é você. Tente de novo.",
    failed: "Não deu certo. Nada foi cobrado; tente de novo.",
    challengeTitle: "Confirme o pagamento",
    challengeText: "Seu banco quer ter certeza de que é você.",
    approve: "Confirmar",
    reject: "Cancelar",
    done: "Pagamento recebido. Obrigado!",
    testMode: "Modo de teste: nenhum dinheiro é movimentado.",
    card: "Cartão",
    saveCard: "Salvar cartão",
    cardSaved: "Seu novo cartão foi salvo. Você pode fechar esta página.",
  },
  it: {
    title: "Pagamento",
    email: "E-mail",
    emailError: "Controlla l’indirizzo e-mail.",
    number: "Numero della carta",
    expiry: "Scadenza",
    expiryPlaceholder: "MM / AA",
    cvc: "Codice (CVC)",
    name: "Nome sulla carta",
    namePlaceholder: "Come appare sulla carta",
    cardError: "Controlla i dati della carta.",
    payNow: "Paga ora",
    startTrial: "Inizia la prova gratuita",
    subscribe: "Abbonati ora",
    paying: "Un attimo…",
    declined: "La banca ha rifiutato la carta. Provane un’altra.",
    refused: "La banca non ha potuto confermare la tua identità. Riprova.",
    failed: "Il pagamento non è riuscito. Non ti è stato addebitato nulla: riprova.",
    challengeTitle: "Conferma il pagamento",
    challengeText: "La banca vuole essere sicura che sia tu.",
    approve: "Conferma",
    reject: "Annulla",
    done: "Pagamento ricevuto. Grazie!",
    testMode: "Modalità di prova: nessun addebito reale.",
    card: "Carta",
    saveCard: "Salva la carta",
    cardSaved: "La nuova carta è salvata. Puoi chiudere questa pagina.",
  },
  de: {
    title: "Zahlung",
    email: "E-Mail",
    emailError: "Prüfe die E-Mail-Adresse.",
    number: "Kartennummer",
    expiry: "Gültig bis",
    expiryPlaceholder: "MM / JJ",
    cvc: "Prüfnummer (CVC)",
    name: "Name auf der Karte",
    namePlaceholder: "Wie auf der Karte angegeben",
    cardError: "Prüfe die Kartendaten.",
    payNow: "Jetzt bezahlen",
    startTrial: "Kostenlos testen",
    subscribe: "Jetzt abonnieren",
    paying: "Einen Moment …",
    declined: "Deine Bank hat die Karte abgelehnt. Versuch es mit einer anderen.",
    refused: "Deine Bank konnte nicht bestätigen, dass du es bist. Versuch es noch einmal.",
    failed: "Das hat nicht geklappt. Es wurde nichts abgebucht; versuch es noch einmal.",
    challengeTitle: "Bestätige die Zahlung",
    challengeText: "Deine Bank möchte sichergehen, dass du es bist.",
    approve: "Bestätigen",
    reject: "Abbrechen",
    done: "Zahlung eingegangen. Danke!",
    testMode: "Testmodus: Es fließt kein echtes Geld.",
    card: "Karte",
    saveCard: "Karte speichern",
    cardSaved: "Deine neue Karte ist gespeichert. Du kannst die Seite schließen.",
  },
};

/** The texts for a locale code such as `es`, `pt-BR` or `de-DE`; English where there are none. */
export function formTextsFor(locale: string): FormTexts {
  const language = locale.slice(0, 2).toLowerCase();
  return language === "es" || language === "pt" || language === "it" || language === "de" ? formTexts[language] : formTexts.en;
}
