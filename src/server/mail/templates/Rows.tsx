import type { ReactNode } from "react";
import { styles } from "./Layout.tsx";

const cell = { padding: "6px 0", verticalAlign: "top" } as const;

/** Labels and values in two columns, however long they are. */
export function Rows({ rows }: { readonly rows: readonly (readonly [label: string, value: ReactNode, emphasis?: "strong"])[] }) {
  return (
    <table role="presentation" width="100%" cellPadding={0} cellSpacing={0} style={{ margin: "0 0 16px", borderCollapse: "collapse" }}>
      <tbody>
        {rows.map(([label, value, emphasis]) => (
          <tr key={label}>
            <td width="40%" style={{ ...styles.quiet, ...cell, paddingRight: "12px" }}>
              {label}
            </td>
            <td style={{ ...styles.text, ...cell, fontWeight: emphasis === "strong" ? 700 : 400 }}>{value}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
