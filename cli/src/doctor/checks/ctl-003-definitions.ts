import { kinds } from '@kerf/apis'
import { type Check, foundAny } from '../check.ts'
import { objectName } from '../object-name.ts'

interface Definition {
  readonly spec: { readonly group?: unknown; readonly versions?: unknown }
  readonly status?: { readonly storedVersions?: readonly string[] }
}

const servesV1 = ({ spec }: Definition): boolean =>
  Array.isArray(spec.versions) &&
  spec.versions.some(
    (version: { readonly name?: unknown; readonly served?: unknown }) =>
      version.name === 'v1' && version.served === true,
  )

export const ctl003: Check = {
  id: 'CTL-003',
  group: 'controller',
  severity: 'critical',
  title: 'CRDs that are older than the controller',
  why: 'The controller reads karpenter.sh/v1. Helm never upgrades CRDs, so they stay behind when only the chart is upgraded. Old versions among status.storedVersions keep a CRD from being upgraded further.',
  reads: ['CustomResourceDefinition'],
  examine({ objects }) {
    const own = objects
      .of(kinds.CustomResourceDefinition)
      .filter(({ metadata }) => /^(nodepools|nodeclaims)\.karpenter\.sh$/.test(metadata.name))
    const old = own.filter((each) => !servesV1(each as unknown as Definition))
    const stored = own.filter((each) =>
      ((each as unknown as Definition).status?.storedVersions ?? []).some((version) => version !== 'v1'),
    )
    return foundAny(
      [...old, ...stored.filter((each) => !old.includes(each))].map(objectName),
      {
        severity: old.length > 0 ? 'critical' : 'warning',
        seen:
          old.length > 0
            ? 'they do not serve v1'
            : `objects are, or were, stored in an older version: ${stored.map((each) => (each as unknown as Definition).status?.storedVersions?.join(', ')).join('; ')}`,
        remedy:
          old.length > 0
            ? 'kerf crds | kubectl apply --server-side -f -'
            : 'rewrite the objects once, for example with kubectl get nodepools -o yaml | kubectl replace -f -, then remove the old version from status.storedVersions',
      },
      own.length === 0 ? 'no CRD of Karpenter' : 'the CRDs serve and store v1',
    )
  },
}
