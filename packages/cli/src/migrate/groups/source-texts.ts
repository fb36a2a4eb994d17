import { type ProviderSource, sourceTexts } from './provider-sources.ts'

const exported = sourceTexts.flatMap(({ exports }) => exports ?? [])
const documents = sourceTexts.flatMap((each) => each.documents)

/** What `kerf migrate cas` reads, for its help. */
export const readDocumentsText = `exports of ${exported
  .map(({ name, commands }) => `${name} (${commands.join(', ')})`)
  .join(' and ')}, ${[...new Set(documents.map(({ help }) => help))].join(', ')}, and objects of the cluster`

/** Why a document is not used, if nothing is known about it. */
export const unknownDocument = `it is neither an export of ${exported.map(({ name }) => name).join(' or ')}, an ${[
  ...new Set(documents.flatMap(({ tool }) => tool ?? [])),
].join(' or ')} file, nor an object of Kubernetes`

const [firstGroups = '', ...otherGroups] = sourceTexts.map(({ groups }) => groups)

/** The node groups that Kerf reads, for a message about others. */
export const readGroupsText = `${firstGroups.charAt(0).toUpperCase()}${firstGroups.slice(1)} are, ${[
  ...otherGroups.slice(0, -1),
  `and ${otherGroups.at(-1) ?? ''}`,
].join(', ')}`

/** Returns a command that exports groups, as an example for a user whose provider is unknown. */
export const exportExample = (sources: readonly ProviderSource[]): string =>
  sources.find(({ decidedBy }) => decidedBy === 'nothing else')?.texts.exports?.example ?? ''
