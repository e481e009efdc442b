import { legalPage } from "../legalPage.tsx";

export const page = legalPage("legal/licenses");
