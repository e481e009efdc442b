import { Download } from "lucide-react";
import { Button } from "./Button.tsx";
import { csvOf } from "./csv.ts";

/** A button that downloads rows as CSV. `rows` may fetch them first. */
export function CsvButton({
  name,
  rows,
  small = false,
}: {
  /** File name without `.csv`. */
  readonly name: string;
  readonly rows: () => readonly (readonly unknown[])[] | Promise<readonly (readonly unknown[])[]>;
  readonly small?: boolean;
}) {
  const save = async () => {
    const url = URL.createObjectURL(new Blob(["\uFEFF", csvOf(await rows())], { type: "text/csv;charset=utf-8" }));
    const link = document.createElement("a");
    link.href = url;
    link.download = `${name}.csv`;
    link.click();
    // Browsers start reading the object URL during the click.
    setTimeout(() => URL.revokeObjectURL(url), 0);
  };
  return (
    <Button small={small} onClick={() => void save()}>
      <Download size={14} aria-hidden="true" />
      CSV
    </Button>
  );
}
