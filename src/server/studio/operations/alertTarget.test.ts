import { expect, it } from "vitest";
import { isAlertTarget } from "./alertTarget.ts";

it("alert webhooks need https and a public host in production; elsewhere http is allowed too", () => {
  const targets = [
    "https://hooks.example/a",
    "https://93.184.216.34/a",
    "http://hooks.example/a",
    "http://127.0.0.1:9/a",
    "https://10.0.0.1/a",
    "https://169.254.169.254/latest",
    "https://localhost/a",
    "https://[::1]/a",
    "https://[fd00::1]/a",
    "https://[::ffff:10.0.0.1]/a",
    "https://2130706433/a",
    "https://localhost./a",
    "https://a.localhost/a",
    "https://redis/a",
    "https://metadata.google.internal/a",
    "file:///etc/passwd",
    "gopher://hooks.example/",
    "no address",
  ];
  const taken = (production: boolean) => targets.filter((target) => isAlertTarget(target, { production }));
  expect(taken(true)).toEqual(targets.slice(0, 2));
  expect(taken(false)).toEqual(targets.slice(0, 15));
});
