import type { MailKey } from "../mail.ts";

export const texts = {
  "mail.greeting": "Oi, {FIRSTNAME}!",
  "mail.greetingPlain": "Oi!",
  "mail.linkHint": "Se o botão não funcionar, copie e cole este endereço no navegador:",
  "mail.ignore": "Se não foi você, é só ignorar este e-mail. Nada vai acontecer.",
  "mail.sign": "Equipe {BRAND}",
  "mail.footer.why": "Você recebeu este e-mail porque este endereço foi informado no {BRAND}.",
  "mail.footer.help": "Ficou com dúvida? É só responder a este e-mail.",

  "confirm.subject": "Confirme seu e-mail",
  "confirm.preview": "Um toque e a conta é sua.",
  "confirm.title": "Este e-mail é seu?",
  "confirm.text": "Toque no botão para confirmar. Assim seu plano, seu progresso e seus recibos sempre chegam até você.",
  "confirm.button": "Confirmar meu e-mail",
  "confirm.life": "O link vale por {HOURS, plural, one {# hora} other {# horas}}.",

  "loginLink.subject": "Seu link para entrar",
  "loginLink.preview": "Um toque e você já entra, sem senha.",
  "loginLink.title": "É por aqui que se entra",
  "loginLink.text": "Toque no botão e continue de onde parou. Não precisa de senha.",
  "loginLink.button": "Entrar",
  "loginLink.code": "Está em outro aparelho? Digite este código:",
  "loginLink.life": "O link e o código valem uma única vez, por {MINUTES, plural, one {# minuto} other {# minutos}}.",
  "loginLink.lifeWithoutCode": "O link vale uma única vez, por {MINUTES, plural, one {# minuto} other {# minutos}}.",

  "loginUnknown.subject": "Ainda não conhecemos este e-mail",
  "loginUnknown.preview": "Alguém pediu um link para entrar com este endereço.",
  "loginUnknown.title": "Não existe conta com este e-mail",
  "loginUnknown.text":
    "Alguém pediu um link para entrar, talvez você. Pode ser que você tenha feito o cadastro com outro endereço. Ou quem sabe hoje seja um bom dia para começar.",
  "loginUnknown.button": "Encontrar meu plano",

  "reset.subject": "Escolha uma nova senha",
  "reset.preview": "Aqui está o link para trocar.",
  "reset.title": "Uma nova senha",
  "reset.text": "Acontece com todo mundo. Toque no botão e escolha uma nova. Você vai sair da conta em todos os aparelhos.",
  "reset.button": "Escolher nova senha",
  "reset.life": "O link vale uma única vez, por {MINUTES, plural, one {# minuto} other {# minutos}}.",

  "passwordChanged.subject": "Sua senha foi alterada",
  "passwordChanged.preview": "Você saiu da conta em todos os aparelhos.",
  "passwordChanged.title": "Nova senha pronta",
  "passwordChanged.text":
    "A senha da sua conta acabou de ser alterada. Por segurança, encerramos a sessão em todos os aparelhos: entre com a nova.",
  "passwordChanged.notYou": "Não foi você? Escolha outra senha agora mesmo e a conta volta a ser só sua.",
  "passwordChanged.button": "Escolher outra senha",

  "emailChanged.subject": "O e-mail da sua conta foi alterado",
  "emailChanged.preview": "Sua conta agora tem outro e-mail.",
  "emailChanged.title": "Novo e-mail",
  "emailChanged.text":
    "O e-mail da sua conta acabou de ser alterado. A partir de agora você entra com o novo e é nele que recebe nossas mensagens; esta é a última para este endereço.",
  "emailChanged.notYou":
    "Não foi você? Escreva para a gente agora mesmo a partir deste endereço: devolvemos sua conta e encerramos as outras sessões.",
  "emailChanged.button": "Recuperar minha conta",

  "emailChange.subject": "Alguém quer trocar seu e-mail",
  "emailChange.preview": "Foi você? Então não precisa fazer nada.",
  "emailChange.title": "Sua conta vai ter outro e-mail",
  "emailChange.text":
    "Alguém pediu para trocar o e-mail da sua conta. A troca acontece quando o novo for confirmado; até lá, vale este. Se foi você, não precisa fazer nada.",
  "emailChange.notYou":
    "Se não foi você, alguém tem sua senha ou seu aparelho. Toque no botão: sua conta fica com este e-mail, todas as sessões são encerradas e a senha deixa de valer.",
  "emailChange.button": "Não fui eu",
  "emailChange.life": "O link vale por {DAYS, plural, one {# dia} other {# dias}}, mesmo depois que o novo e-mail for confirmado.",

  "confirmChange.subject": "Confirme o novo e-mail de uma conta",
  "confirmChange.preview": "Foi você? Um toque e pronto. Se não foi, não precisa fazer nada.",
  "confirmChange.title": "Novo e-mail para uma conta do {BRAND}",
  "confirmChange.text":
    "Alguém pediu que o e-mail de uma conta do {BRAND} passe a ser este. Se foi você, toque no botão: a partir daí você entra com este e-mail e recebe nossas mensagens aqui.",
  "confirmChange.notYou": "Não foi você? Então não toque em nada: nada muda, e aquela conta fica sem este e-mail.",
  "confirmChange.button": "Usar este e-mail",
  "confirmChange.device":
    "Toque em um aparelho em que você já entrou na conta. Em qualquer outro, todas as sessões são encerradas e a senha deixa de valer; depois você entra com um link.",

  "payLink.subject": "Seu link de pagamento",
  "payLink.preview": "Seu plano está esperando, do jeito que você deixou.",
  "payLink.title": "Seu plano está esperando por você",
  "payLink.text": "Você pediu o link da página de pagamento. Abra no aparelho que quiser: sua escolha continua lá.",
  "payLink.button": "Ir para o pagamento",

  "cancelled.subject": "Seu plano foi cancelado",
  "cancelled.preview": "Nada mais será cobrado.",
  "cancelled.title": "Plano cancelado",
  "cancelled.received": "Recebemos seu cancelamento em {ON}.",
  "cancelled.until": "Você continua com tudo até {DATE}. Depois disso, o plano termina e nada mais será cobrado.",
  "cancelled.ended": "Seu plano terminou e nada mais será cobrado.",
  "cancelled.back": "Se mudar de ideia, seu nível e suas respostas continuam aqui.",
  "cancelled.button": "Ver meu plano",

  "welcome.subject": "Seu plano {BRAND} já começou",
  "welcome.preview": "O que vem agora, em três passos.",
  "welcome.title": "Seu inglês já começou",
  "welcome.text": "Que bom ter você aqui. Veja o que vem agora:",
  "welcome.step1": "Baixe o app e entre com este e-mail.",
  "welcome.step2": "Faça o teste oral de 5 minutos.",
  "welcome.step3": "Comece sua primeira lição.",
  "welcome.trial": "Seu teste grátis vai até {DATE}. Se cancelar antes, você não paga nada.",
  "welcome.button": "Abrir o app",

  "receipt.heading": "Seu recibo",
  "receipt.item": "Plano",
  "receipt.months": "{BRAND}, {COUNT, plural, one {# mês} other {# meses}}",
  "receipt.weeks": "{BRAND}, {COUNT, plural, one {# semana} other {# semanas}}",
  "receipt.paid": "Pago hoje",
  "receipt.date": "Data",
  "receipt.order": "Número do pedido",
  "receipt.trialThen":
    "Em {DATE} seu plano começa e você paga {PRICE}. Depois ele se renova automaticamente, pelo mesmo preço, até você cancelar.",
  "receipt.renews": "Seu plano vai até {DATE} e depois se renova automaticamente, pelo mesmo preço, até você cancelar.",
  "receipt.oneTime": "Você pagou uma única vez. Seu acesso vai até {DATE} e nada se renova.",
  "receipt.manage": "Ver ou cancelar meu plano",
} satisfies Record<MailKey, string>;
