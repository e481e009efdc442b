/** An intruder with hundreds of addresses beside honest visitors, on the built site with its real rate limits. */
import { type Answer, attacks, honestVisit, newOwner, sender, slowConnections, smuggled } from "../intruder.ts";
import { long } from "../sampled.ts";
import { linkIn, mailTo } from "./people.ts";
import { expect, startSite, test } from "./site.ts";

const rounds = long ? 120 : 3;
const intruders = 4;

test("during an intruder's attacks, honest visitors are served, the owner can log in, and nothing opens or breaks", async () => {
  const site = await startSite({ LIMITS: "{}", PROXY_HOPS: "1" });
  const { send, close } = sender(site.url);
  const owner = await newOwner(send);
  const letGo = slowConnections(site.url, 50);
  const wrong: string[] = [];
  const judge = (what: string, { status, body, retryAfter }: Answer, isRight: boolean) => {
    if (!isRight) wrong.push(`${what}: ${status} ${retryAfter ?? ""} ${body.slice(0, 200)}`);
  };

  async function intrude(): Promise<void> {
    for (let round = 0; round < rounds; round++)
      for (const [name, attack] of Object.entries(attacks)) {
        const answer = await attack(send, owner);
        // The server may cut a connection with a far too long body. A 429 needs Retry-After.
        judge(name, answer, answer.status < 500 || (answer.status === 503 && answer.retryAfter !== undefined));
        judge(`${name} opens`, answer, !/"refreshToken":|root:x:0/.test(answer.body));
      }
  }
  async function visit(): Promise<void> {
    for (let round = 0; round < rounds; round++)
      for (const [step, answer] of await honestVisit(send)) judge(`honest ${step}`, answer, [200, 202].includes(answer.status));
  }
  async function comeAsOwner(): Promise<void> {
    const { email, password, cookies } = owner;
    for (let round = 0; round < rounds; round++) {
      const answer = await send({ path: "/api/login", from: "192.0.2.251", headers: { cookie: cookies }, body: { email, password } });
      judge("owner", answer, answer.status === 200);
    }
  }
  await Promise.all([...Array.from({ length: intruders }, intrude), visit(), visit(), comeAsOwner()]);
  letGo();
  expect(wrong).toEqual([]);
  expect(await smuggled(site.url)).not.toContain("200 OK");

  await send({ path: "/api/login-link", from: "192.0.2.251", headers: { cookie: owner.cookies }, body: { email: owner.email } });
  // The intruder's guesses have exhausted the codes, so the mail has only the link.
  expect(linkIn(await mailTo(site, owner.email, /link\/login/), /link\/login/)).toContain(site.url);
  const mails = site.rows("SELECT template, count(*) AS n FROM mail_outbox WHERE recipient = ? GROUP BY template", owner.email);
  for (const { template, n } of mails) expect([template, Number(n) <= 15]).toEqual([template, true]);
  expect(site.rows("SELECT count(*) AS n FROM accounts WHERE email NOT LIKE 'honest%' AND email NOT LIKE 'owner%'")[0]?.["n"]).toBeLessThan(
    160,
  );
  expect(site.rows("SELECT count(*) AS n FROM provider_events")).toEqual([{ n: 0 }]);
  expect(site.log()).not.toMatch(/"level":[56]0/);
  expect(await site.end()).toBe(0);
  close();
  await site.stop();
});
