import { createHash } from 'node:crypto'
import type { KubeObject } from '@kerf/apis'
import type { FieldConversion, KnownByUser, NodeClassDraft, Question, SourceGroup } from '@kerf/provider-contract'
import { ownGroup, type ProviderSource } from '../groups/provider-sources.ts'

export interface NodeClassRef {
  readonly group: string
  readonly kind: string
  readonly name: string
}

/** Node classes for the groups. Groups share a node class if they differ only in size, zones or labels. */
export interface NodeClassDrafts {
  readonly classes: readonly KubeObject[]
  readonly classRef: (group: string) => NodeClassRef
  readonly conversions: readonly FieldConversion[]
  readonly questions: readonly Question[]
}

/** Returns one node class of the provider for each distinct spec, so that groups with the same spec share a node class. */
export const draftNodeClasses = (
  groups: readonly SourceGroup[],
  names: ReadonlyMap<string, string>,
  source: ProviderSource,
  known: KnownByUser,
): NodeClassDrafts => {
  const { group: apiGroup, version, kind } = source.nodeClass
  const byHash = new Map<string, { readonly name: string; readonly spec: NodeClassDraft['spec'] }>()
  const classNames = new Map<string, string>()
  const conversions: FieldConversion[] = []
  const questions: Question[] = []
  for (const group of groups) {
    const drafted = source.draftNodeClass(ownGroup(group, source), known)
    conversions.push(...drafted.conversions)
    questions.push(...drafted.questions)
    const hash = createHash('sha256').update(JSON.stringify(drafted.spec)).digest('hex')
    const own = byHash.get(hash) ?? { name: names.get(group.name) ?? group.name, spec: drafted.spec }
    byHash.set(hash, own)
    classNames.set(group.name, own.name)
  }
  const isOne = byHash.size === 1
  const className = (name: string): string => (isOne ? 'default' : name)
  return {
    classes: [...byHash.values()].map(({ name, spec }) => ({
      apiVersion: `${apiGroup}/${version}`,
      kind,
      metadata: { name: className(name) },
      ...{ spec },
    })),
    classRef: (group) => ({ group: apiGroup, kind, name: className(classNames.get(group) ?? group) }),
    conversions,
    questions,
  }
}
