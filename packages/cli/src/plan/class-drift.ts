import { groupVersion, type KubeObject, type NodeClaim, ownValue, resourceAdmission } from '@kerf/apis'
import type { Manifest } from '../manifests/manifest.ts'
import { nodeClassDescriptors } from '../providers.ts'

/** The effect of changed node classes on the claims that were launched with them. */
export interface ClassDrift {
  /**
   * Returns the drift reason that the provider would report. Returns undefined if there is none, or if finding it requires
   * access to the cloud account.
   */
  reasonOf(claim: NodeClaim): string | undefined
  /** Checks that were not possible, one line each. */
  readonly notLookedAt: readonly string[]
}

/**
 * The reason that providers report if an instance differs from its node class
 * (`providers/aws/docs/spec/aws-node-class.md#drift-reasons`).
 */
const REASON = 'NodeClassDrift'

const refKey = (group: string, kind: string, name: string): string => `${group}/${kind}/${name}`

type Fields = Readonly<Record<string, unknown>>

const changedFields = (before: Fields, after: Fields): readonly string[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((field) => JSON.stringify(ownValue(before, field)) !== JSON.stringify(ownValue(after, field)))
    .sort()

const objectSpec = (object: KubeObject): Fields => (object as { readonly spec?: Fields }).spec ?? {}

/**
 * Compares node classes before and after a change, by the hashes that their provider compares. If a change edits a selector of account
 * resources, claims drift only if it selects different resources. This cannot be known without access to the account.
 */
export const classDrift = (before: readonly Manifest[], after: readonly Manifest[]): ClassDrift => {
  const drifted = new Set<string>()
  const notLookedAt: string[] = []
  for (const { resource, hash, selectors } of nodeClassDescriptors) {
    const isOfKind = ({ object }: Manifest): boolean =>
      object.kind === resource.kind.kind && object.apiVersion === groupVersion(resource.kind)
    const old = new Map(before.filter(isOfKind).map(({ object }) => [object.metadata.name, object]))
    for (const { object } of after.filter(isOfKind)) {
      const was = old.get(object.metadata.name)
      if (was === undefined) continue
      const full = (each: KubeObject) => resourceAdmission(resource).withDefaults(each)
      const [a, b] = [full(was), full(object)]
      if (hash !== undefined && hash.of(a) !== hash.of(b))
        drifted.add(refKey(resource.kind.group, resource.kind.kind, object.metadata.name))
      const selecting = changedFields(objectSpec(a), objectSpec(b)).filter((field) => selectors.includes(field))
      if (selecting.length > 0)
        notLookedAt.push(
          `what ${resource.kind.kind} ${object.metadata.name} selects by ${selecting.join(', ')}: its nodes drift if that is different from today`,
        )
    }
  }
  return {
    notLookedAt,
    reasonOf: ({ spec: { nodeClassRef } }) =>
      drifted.has(refKey(nodeClassRef.group, nodeClassRef.kind, nodeClassRef.name)) ? REASON : undefined,
  }
}
