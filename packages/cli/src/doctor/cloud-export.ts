import { ownValue } from '@kerf/apis'
import type { AccountDocuments, CloudDocuments, ProviderDescriptor } from '@kerf/provider-contract'
import { providers } from '../providers.ts'
import { providerChecks } from './provider-checks.ts'

const all: readonly ProviderDescriptor[] = providers

/** The types of documents about a cloud account that the checks of all providers read. */
const kinds: readonly AccountDocuments[] = providerChecks.flatMap(({ documents }) => documents ?? [])

/** The commands whose output `--cloud` reads, for its help text. */
export const cloudUsage: string = kinds.map(({ usage }) => usage).join(' or ')

/** The titles of the clouds for which such documents exist, for messages. */
export const cloudTitles: string = all
  .filter(({ doctorChecks }) => doctorChecks?.documents !== undefined)
  .map(({ title }) => title)
  .join(' or ')

/** Returns the command that prints the document with this name, or undefined if no document has the name. */
export const cloudCommand = (name: string): string | undefined =>
  kinds.map(({ commands }) => ownValue(commands, name)).find((command) => command !== undefined)

/**
 * The documents of cloud accounts that the user passed with `--cloud`. `others` lists the files with documents that no check reads.
 */
export class CloudExport implements CloudDocuments {
  readonly #byName = new Map<string, readonly unknown[]>()
  readonly others: readonly string[]

  constructor(documents: readonly { readonly value: unknown; readonly file: string }[]) {
    const others: string[] = []
    const single = documents.flatMap(({ value, file }) =>
      (Array.isArray(value) ? value : [value]).map((each: unknown) => ({ value: each, file })),
    )
    for (const { value, file } of single) {
      const contents = kinds.flatMap((each) => [...each.read(value)])
      if (contents.length === 0) others.push(file)
      for (const [name, content] of contents) this.#byName.set(name, [...this.of(name), ...content])
    }
    this.others = others
  }

  has(name: string): boolean {
    return this.#byName.has(name)
  }

  of(name: string): readonly unknown[] {
    return this.#byName.get(name) ?? []
  }
}
