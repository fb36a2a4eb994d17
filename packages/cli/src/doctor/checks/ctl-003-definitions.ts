import { coreResources, kinds } from '@kerf/apis'
import { foundAny, objectName } from '@kerf/provider-kit/doctor'
import { kindDescriptors } from '../../providers.ts'
import type { Check } from '../check.ts'

interface Version {
  readonly name?: unknown
  readonly served?: unknown
  readonly storage?: unknown
}

interface Definition {
  readonly metadata: { readonly name: string }
  readonly spec: { readonly versions?: unknown }
  readonly status?: { readonly storedVersions?: readonly string[] }
}

const resources = [...coreResources, ...kindDescriptors.map(({ resource }) => resource)]

/** For each CRD that `kerf crds` writes, its storage version and all its versions. */
const own = new Map(
  resources.map(({ kind, olderVersions = [] }) => [
    `${kind.plural}.${kind.group}`,
    { stored: kind.version, all: [kind.version, ...olderVersions.map(({ name }) => name)] },
  ]),
)

/** The names of the CRDs that Kerf installs. */
export const ownDefinitions: readonly string[] = [...own.keys()]

/** The state of a CRD: whether it works, and what prevents `kerf crds` from updating it. */
interface State {
  readonly name: string
  /** Whether the CRD serves the version that Kerf reads. */
  readonly isServed: boolean
  readonly isStored: boolean
  /** Versions in the cluster's `status.storedVersions` that Kerf's CRD does not have. */
  readonly stale: readonly string[]
  /** The version that Kerf reads. */
  readonly version: string
}

const definitionState = ({ metadata, spec, status }: Definition): readonly State[] => {
  const known = own.get(metadata.name)
  if (known === undefined) return []
  const versions: readonly Version[] = Array.isArray(spec.versions) ? spec.versions : []
  const current = versions.find(({ name }) => name === known.stored)
  return [
    {
      name: metadata.name,
      isServed: current?.served === true,
      isStored: current?.storage === true,
      stale: (status?.storedVersions ?? []).filter((version) => !known.all.includes(version)),
      version: known.stored,
    },
  ]
}

const APPLY = 'kerf crds | kubectl apply --server-side -f -'

/**
 * Returns the commands that fix the CRDs. The API server refuses an update of a CRD that removes a version listed in
 * `status.storedVersions`.
 */
const remedyFor = (states: readonly State[]): string => {
  const stuck = states.filter(({ stale, isStored }) => stale.length > 0 && !isStored)
  const stale = states.filter((state) => state.stale.length > 0 && state.isStored)
  const names = (of: readonly State[], separator: string): string => of.map(({ name }) => name).join(separator)
  return [
    ...(stuck.length === 0
      ? []
      : [
          `${names(stuck, ', ')}: if kubectl get ${names(stuck, ',')} -A finds no object, kubectl delete crd ${names(stuck, ' ')}; if it finds some, upgrade to Karpenter 1.0 first, which converts them (docs/upgrade.md#stored-versions)`,
        ]),
    ...stale.map(
      ({ name, version }) =>
        `kubectl get ${name} -A -o json | kubectl replace -f - (if there are objects), kubectl patch crd ${name} --subresource status --type merge -p '{"status":{"storedVersions":["${version}"]}}'`,
    ),
    APPLY,
  ].join('; then ')
}

export const ctl003: Check = {
  id: 'CTL-003',
  group: 'controller',
  severity: 'critical',
  title: 'CRDs that are older than the controller',
  why: 'The controller reads one version of each of its custom resources, such as karpenter.sh/v1. Helm never upgrades CRDs, so an upgrade of the chart alone leaves old CRDs. If status.storedVersions has a version that the new CRD lacks, the new CRD cannot be applied (docs/upgrade.md#stored-versions).',
  reads: ['CustomResourceDefinition'],
  examine({ objects }) {
    const found = objects
      .of(kinds.CustomResourceDefinition)
      .flatMap((object) => definitionState(object as unknown as Definition).map((state) => ({ object, state })))
    const old = found.filter(({ state }) => !state.isServed)
    const stale = found.filter(({ state }) => state.isServed && (state.stale.length > 0 || !state.isStored))
    const wrong = [...old, ...stale]
    return foundAny(
      wrong.map(({ object }) => objectName(object)),
      {
        severity: old.length > 0 ? 'critical' : 'warning',
        seen: [
          ...old.map(({ state }) => `${state.name} does not serve ${state.version}`),
          ...stale.map(({ state }) =>
            state.isStored
              ? `objects of ${state.name} are, or were, stored in ${state.stale.join(', ')}, which the CRD of Kerf does not have`
              : `${state.name} does not store ${state.version}`,
          ),
        ].join('; '),
        remedy: remedyFor(wrong.map(({ state }) => state)),
      },
      found.length === 0 ? 'no CRD of Kerf or Karpenter' : 'the CRDs serve and store the versions that Kerf reads',
    )
  },
}
