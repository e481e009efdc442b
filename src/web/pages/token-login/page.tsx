import { linkLoginPage } from "../../account/LinkLogin.tsx";

export const page = linkLoginPage("token-login");
