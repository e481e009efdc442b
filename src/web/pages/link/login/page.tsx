import { linkLoginPage } from "../../../account/LinkLogin.tsx";

export const page = linkLoginPage("link/login");
