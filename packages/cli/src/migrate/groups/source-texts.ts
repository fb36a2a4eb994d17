import { type ProviderSource, sourceTexts } from './provider-sources.ts'

const all = new Intl.ListFormat('en', { type: 'conjunction' })
const any = new Intl.ListFormat('en', { type: 'disjunction' })

const exported = sourceTexts.flatMap(({ exports }) => exports ?? [])
const documents = sourceTexts.flatMap((each) => each.documents)
const exportTexts = exported.map(({ name, commands }) => `${name} (${commands.join(', ')})`)
const documentTexts = new Set(documents.map(({ help }) => help))
const tools = new Set(documents.flatMap(({ tool }) => tool ?? []))

/** The documents that `kerf migrate cas` reads, for its help text. */
export const readDocumentsText = `exports of ${all.format(exportTexts)}, ${[...documentTexts].join(', ')}, and objects of the cluster`

/** The reason why an unrecognised document is not used. */
export const unknownDocument = `it is neither an export of ${any.format(exported.map(({ name }) => name))}, an ${any.format(tools)} file, nor an object of Kubernetes`

/** Returns an example of a command that exports groups, for users whose provider is unknown. */
export const exportExample = (sources: readonly ProviderSource[]): string =>
  sources.find(({ decidedBy }) => decidedBy === 'nothing else')?.texts.exports?.example ?? ''
