/** The handlers of all calls, by key. Each handler's file is named after its call's key. */
import type { Endpoint } from "#core/api.ts";
import type { Handlers } from "./calls.ts";
import { accountErase } from "./handlers/accountErase.ts";
import { accountExport } from "./handlers/accountExport.ts";
import { checkEmail } from "./handlers/checkEmail.ts";
import { config } from "./handlers/config.ts";
import { confirmByCode } from "./handlers/confirmByCode.ts";
import { confirmEmail } from "./handlers/confirmEmail.ts";
import { consent } from "./handlers/consent.ts";
import { contractNotice } from "./handlers/contractNotice.ts";
import { courseFee } from "./handlers/courseFee.ts";
import { createTransaction } from "./handlers/createTransaction.ts";
import { email } from "./handlers/email.ts";
import { entitlement } from "./handlers/entitlement.ts";
import { forgotPassword } from "./handlers/forgotPassword.ts";
import { endSessions } from "./handlers/endSessions.ts";
import { geo } from "./handlers/geo.ts";
import { login } from "./handlers/login.ts";
import { loginLink } from "./handlers/loginLink.ts";
import { logout } from "./handlers/logout.ts";
import { marketingConsent } from "./handlers/marketingConsent.ts";
import { payLink } from "./handlers/payLink.ts";
import { paymentStatus } from "./handlers/paymentStatus.ts";
import { popup } from "./handlers/popup.ts";
import { products } from "./handlers/products.ts";
import { questionnaireGet } from "./handlers/questionnaireGet.ts";
import { questionnairePost } from "./handlers/questionnairePost.ts";
import { refresh } from "./handlers/refresh.ts";
import { reportError } from "./handlers/reportError.ts";
import { resetLink } from "./handlers/resetLink.ts";
import { resetPassword } from "./handlers/resetPassword.ts";
import { sendEvent } from "./handlers/sendEvent.ts";
import { sessions } from "./handlers/sessions.ts";
import { signup } from "./handlers/signup.ts";
import { studySchedule } from "./handlers/studySchedule.ts";
import { token } from "./handlers/token.ts";
import { keepSubscription } from "./handlers/keepSubscription.ts";
import { undoEmail } from "./handlers/undoEmail.ts";
import { updateEmail } from "./handlers/updateEmail.ts";
import { updateName } from "./handlers/updateName.ts";
import { payLinkMail } from "./handlers/payLinkMail.ts";
import { planMail } from "./handlers/planMail.ts";
import { subscription } from "./handlers/subscription.ts";
import { subscriptionCard } from "./handlers/subscriptionCard.ts";
import { subscriptionChange } from "./handlers/subscriptionChange.ts";
import { webhookPaddleClassic } from "./handlers/webhookPaddleClassic.ts";
import { webhookPaddleBilling } from "./handlers/webhookPaddleBilling.ts";

export const handlers: Handlers<Endpoint> = {
  accountErase,
  accountExport,
  checkEmail,
  config,
  confirmByCode,
  confirmEmail,
  consent,
  contractNotice,
  courseFee,
  createTransaction,
  email,
  endSessions,
  entitlement,
  forgotPassword,
  geo,
  login,
  loginLink,
  logout,
  marketingConsent,
  payLink,
  paymentStatus,
  popup,
  products,
  questionnaireGet,
  questionnairePost,
  refresh,
  reportError,
  resetLink,
  resetPassword,
  sendEvent,
  sessions,
  signup,
  studySchedule,
  token,
  undoEmail,
  keepSubscription,
  updateEmail,
  updateName,
  payLinkMail,
  planMail,
  subscription,
  subscriptionCard,
  subscriptionChange,
  webhookPaddleClassic,
  webhookPaddleBilling,
};

function isImplemented(key: string): key is Endpoint {
  return Object.hasOwn(handlers, key);
}
export const implemented: readonly Endpoint[] = Object.keys(handlers).filter(isImplemented);
