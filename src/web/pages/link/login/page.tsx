import { linkLoginPage } from "../LinkLogin.tsx";

export const page = linkLoginPage("link/login");
