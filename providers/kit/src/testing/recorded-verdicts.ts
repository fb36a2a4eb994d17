import { readFileSync } from 'node:fs'
import { type CustomResource, groupVersion, type KubeObject, resourceAdmission } from '@kerf/apis'
import { SeededRandom } from '@kerf/runtime'
import type { Random } from './drawing.ts'
import { verdictLine } from './verdict-line.ts'

/** A spec, and how a real API server with the CRD of the public provider validated it. */
export interface RecordedVerdict {
  readonly spec: unknown
  /** The result, in the format of `verdictLine`. */
  readonly line: string
}

/** The recorded verdicts of one kind. */
export interface KindVerdicts {
  readonly resource: CustomResource<KubeObject>
  readonly verdicts: readonly RecordedVerdict[]
}

/** Returns the name of the file with the verdicts of a kind. */
export const verdictFile = ({ kind: { plural, group } }: Pick<CustomResource<KubeObject>, 'kind'>): string =>
  `${plural}.${group}.verdicts.tsv`

/**
 * Returns 500 random specs of a kind with their recorded verdicts. `folder` contains the file with the verdicts, and `make` returns a random
 * spec, which may be invalid. `upstream-definition.test.ts` of the provider records the file.
 */
export const recordedVerdicts = (
  resource: CustomResource<KubeObject>,
  {
    folder,
    seed,
    make,
    count = 500,
  }: {
    readonly folder: string
    readonly seed: string
    readonly make: (random: Random) => unknown
    readonly count?: number
  },
): KindVerdicts => {
  const random = new SeededRandom(seed)
  const lines = readFileSync(new URL(verdictFile(resource), folder), 'utf8')
    .trim()
    .split('\n')
  return {
    resource,
    verdicts: Array.from({ length: count }, (_, index) => ({ spec: make(random), line: lines[index] ?? '' })),
  }
}

/** Returns Kerf's own verdict on a spec, in the format of `verdictLine`. */
export const ownVerdict = (resource: CustomResource<KubeObject>, spec: unknown): string => {
  const { kind } = resource
  const object = { apiVersion: groupVersion(kind), kind: kind.kind, metadata: { name: 'verdict' }, spec }
  const admission = resourceAdmission(resource).create(object)
  return admission.accepted
    ? verdictLine({ accepted: true, spec: (admission.object as { readonly spec?: unknown }).spec })
    : verdictLine({ accepted: false, fields: admission.errors.map(({ field }) => field) })
}
