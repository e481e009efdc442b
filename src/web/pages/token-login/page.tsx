import { linkLoginPage } from "../link/LinkLogin.tsx";

export const page = linkLoginPage("token-login");
