/**
 * Data-protection authorities, with their names in their own language. Only addresses that have been stable for years are listed; the
 * website is always current.
 */
export interface Authority {
  /** ISO 3166 alpha-2; shown as a name in the reader's language. */
  readonly country: string;
  readonly name: string;
  readonly address?: string;
  readonly website?: string;
}

/** European Economic Area, United Kingdom, Switzerland. */
export const europe: readonly Authority[] = [
  { country: "AT", name: "Österreichische Datenschutzbehörde", address: "Barichgasse 40–42, 1030 Wien", website: "https://www.dsb.gv.at" },
  {
    country: "BE",
    name: "Autorité de protection des données / Gegevensbeschermingsautoriteit",
    address: "Rue de la Presse 35 / Drukpersstraat 35, 1000 Bruxelles / Brussel",
    website: "https://www.dataprotectionauthority.be",
  },
  { country: "BG", name: "Комисия за защита на личните данни", website: "https://www.cpdp.bg" },
  {
    country: "CH",
    name: "Eidgenössischer Datenschutz- und Öffentlichkeitsbeauftragter (EDÖB)",
    address: "Feldeggweg 1, 3003 Bern",
    website: "https://www.edoeb.admin.ch",
  },
  { country: "CY", name: "Γραφείο Επιτρόπου Προστασίας Δεδομένων Προσωπικού Χαρακτήρα", website: "https://www.dataprotection.gov.cy" },
  { country: "CZ", name: "Úřad pro ochranu osobních údajů", address: "Pplk. Sochora 27, 170 00 Praha 7", website: "https://uoou.gov.cz" },
  {
    country: "DE",
    name: "Die Bundesbeauftragte für den Datenschutz und die Informationsfreiheit (BfDI)",
    address: "Graurheindorfer Straße 153, 53117 Bonn",
    website: "https://www.bfdi.bund.de",
  },
  { country: "DK", name: "Datatilsynet", address: "Carl Jacobsens Vej 35, 2500 Valby", website: "https://www.datatilsynet.dk" },
  { country: "EE", name: "Andmekaitse Inspektsioon", website: "https://www.aki.ee" },
  {
    country: "ES",
    name: "Agencia Española de Protección de Datos (AEPD)",
    address: "C/ Jorge Juan, 6, 28001 Madrid",
    website: "https://www.aepd.es",
  },
  { country: "FI", name: "Tietosuojavaltuutetun toimisto", website: "https://tietosuoja.fi" },
  {
    country: "FR",
    name: "Commission nationale de l’informatique et des libertés (CNIL)",
    address: "3 place de Fontenoy, TSA 80715, 75334 Paris Cedex 07",
    website: "https://www.cnil.fr",
  },
  { country: "GB", name: "Information Commissioner’s Office (ICO)", website: "https://ico.org.uk" },
  {
    country: "GR",
    name: "Αρχή Προστασίας Δεδομένων Προσωπικού Χαρακτήρα",
    address: "Κηφισίας 1–3, 115 23 Αθήνα",
    website: "https://www.dpa.gr",
  },
  { country: "HR", name: "Agencija za zaštitu osobnih podataka (AZOP)", website: "https://azop.hr" },
  {
    country: "HU",
    name: "Nemzeti Adatvédelmi és Információszabadság Hatóság (NAIH)",
    address: "Falk Miksa utca 9–11, 1055 Budapest",
    website: "https://www.naih.hu",
  },
  { country: "IE", name: "Data Protection Commission", website: "https://www.dataprotection.ie" },
  { country: "IS", name: "Persónuvernd", website: "https://www.personuvernd.is" },
  {
    country: "IT",
    name: "Garante per la protezione dei dati personali",
    address: "Piazza Venezia 11, 00187 Roma",
    website: "https://www.garanteprivacy.it",
  },
  { country: "LI", name: "Datenschutzstelle Fürstentum Liechtenstein", website: "https://www.datenschutzstelle.li" },
  { country: "LT", name: "Valstybinė duomenų apsaugos inspekcija", website: "https://vdai.lrv.lt" },
  {
    country: "LU",
    name: "Commission nationale pour la protection des données (CNPD)",
    address: "15, boulevard du Jazz, 4370 Belvaux",
    website: "https://cnpd.public.lu",
  },
  { country: "LV", name: "Datu valsts inspekcija", website: "https://www.dvi.gov.lv" },
  { country: "MT", name: "Office of the Information and Data Protection Commissioner", website: "https://idpc.org.mt" },
  {
    country: "NL",
    name: "Autoriteit Persoonsgegevens",
    address: "Postbus 93374, 2509 AJ Den Haag",
    website: "https://www.autoriteitpersoonsgegevens.nl",
  },
  { country: "NO", name: "Datatilsynet", website: "https://www.datatilsynet.no" },
  { country: "PL", name: "Urząd Ochrony Danych Osobowych (UODO)", website: "https://uodo.gov.pl" },
  {
    country: "PT",
    name: "Comissão Nacional de Proteção de Dados (CNPD)",
    address: "Av. D. Carlos I, 134, 1.º, 1200-651 Lisboa",
    website: "https://www.cnpd.pt",
  },
  {
    country: "RO",
    name: "Autoritatea Națională de Supraveghere a Prelucrării Datelor cu Caracter Personal",
    address: "B-dul G-ral Gheorghe Magheru 28–30, București",
    website: "https://www.dataprotection.ro",
  },
  { country: "SE", name: "Integritetsskyddsmyndigheten (IMY)", website: "https://www.imy.se" },
  { country: "SI", name: "Informacijski pooblaščenec", website: "https://www.ip-rs.si" },
  { country: "SK", name: "Úrad na ochranu osobných údajov Slovenskej republiky", website: "https://dataprotection.gov.sk" },
];

export const latinAmerica: readonly Authority[] = [
  {
    country: "AR",
    name: "Agencia de Acceso a la Información Pública (AAIP)",
    address: "Av. Pte. Gral. Julio A. Roca 710, piso 3.º, Ciudad Autónoma de Buenos Aires",
    website: "https://www.argentina.gob.ar/aaip",
  },
  { country: "BR", name: "Agência Nacional de Proteção de Dados (ANPD)", website: "https://www.gov.br/anpd" },
  { country: "CL", name: "Agencia de Protección de Datos Personales" },
  {
    country: "CO",
    name: "Superintendencia de Industria y Comercio (SIC)",
    address: "Carrera 13 # 27-00, Bogotá D. C.",
    website: "https://www.sic.gov.co",
  },
  { country: "CR", name: "Agencia de Protección de Datos de los Habitantes (PRODHAB)", website: "https://www.prodhab.go.cr" },
  { country: "EC", name: "Superintendencia de Protección de Datos Personales", website: "https://spdp.gob.ec" },
  { country: "MX", name: "Secretaría Anticorrupción y Buen Gobierno", website: "https://www.gob.mx/buengobierno" },
  { country: "PA", name: "Autoridad Nacional de Transparencia y Acceso a la Información (ANTAI)", website: "https://www.antai.gob.pa" },
  {
    country: "PE",
    name: "Autoridad Nacional de Protección de Datos Personales, Ministerio de Justicia y Derechos Humanos",
    address: "Scipión Llona 350, Miraflores, Lima",
    website: "https://www.gob.pe/minjus",
  },
  {
    country: "UY",
    name: "Unidad Reguladora y de Control de Datos Personales (URCDP)",
    website: "https://www.gub.uy/unidad-reguladora-control-datos-personales",
  },
];

export const unitedStates: readonly Authority[] = [
  {
    country: "US",
    name: "Federal Trade Commission",
    address: "600 Pennsylvania Avenue NW, Washington, DC 20580",
    website: "https://www.ftc.gov",
  },
  { country: "US", name: "California Privacy Protection Agency", website: "https://cppa.ca.gov" },
];
