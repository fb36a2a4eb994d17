import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'

/** A correction of a wrong value in a published table. Corrections are applied again whenever the table is generated or imported. */
export interface Correction {
  /** The name of the table's file in `published/`, without its extension. */
  readonly table: string
  /** The name at the beginning of the line. */
  readonly line: string
  /** The name of the value, which is the text before `=`. */
  readonly fact: string
  readonly value: string | number
  /** The evidence that the published value is wrong. */
  readonly reason: string
}

/**
 * Returns the table with the corrected values.
 * @param table lines of the form `NAME FACT=VALUE FACT=VALUE`
 * @throws Error for a line or fact that the table does not have, and for a correction that changes nothing
 */
export const correctedTable = (table: string, corrections: readonly Correction[]): string =>
  corrections
    .reduce<readonly string[]>((lines, { line, fact, value, ...correction }) => {
      const what = `correction of ${correction.table}, ${line} ${fact}`
      const at = lines.findIndex((each) => each.startsWith(`${line} `))
      const facts = lines[at]?.split(' ') ?? []
      const place = facts.findIndex((each) => each.startsWith(`${fact}=`))
      if (place < 0) throw new Error(`${what}: the published table has no such value`)
      const corrected = `${fact}=${value}`
      if (facts[place] === corrected)
        throw new Error(`${what}: the published value is ${value} too; remove the correction`)
      return lines.with(at, facts.with(place, corrected).join(' '))
    }, table.split('\n'))
    .join('\n')

/** The published tables of a provider. Each is a compressed text file in the folder `published/`. */
export class PublishedTables {
  readonly #folder: URL
  readonly #corrections: readonly Correction[]

  /**
   * @param folder the URL of `published/`, with a slash at its end
   * @throws Error if a correction is for a table that is not in the folder
   */
  constructor(folder: URL, corrections: readonly Correction[]) {
    this.#folder = folder
    this.#corrections = corrections
    for (const { table } of corrections)
      if (!existsSync(this.path(table))) throw new Error(`correction of ${table}: there is no such published table`)
  }

  /** Returns the path of a table's file. */
  path(name: string): string {
    return fileURLToPath(new URL(`${name}.txt.gz`, this.#folder))
  }

  /** Returns a table as it was published, without a newline at its end. */
  published(name: string): string {
    return gunzipSync(readFileSync(this.path(name))).toString()
  }

  /** Returns a table after the corrections. */
  read(name: string): string {
    return correctedTable(
      this.published(name),
      this.#corrections.filter(({ table }) => table === name),
    )
  }
}
