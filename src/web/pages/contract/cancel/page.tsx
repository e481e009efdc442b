import { contractPage } from "../contractPage.tsx";

export const page = contractPage("cancel");
