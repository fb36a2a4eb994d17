import type { KubeObject } from '@kerf/apis'
import { foundAny, objectName, undecided } from '@kerf/provider-kit/doctor'
import type { Check } from '../check.ts'

type FlowSchema = KubeObject & {
  readonly spec?: {
    readonly matchingPrecedence?: number
    readonly priorityLevelConfiguration?: { readonly name?: string }
    readonly rules?: readonly {
      readonly subjects?: readonly {
        readonly kind: string
        readonly group?: { readonly name: string }
        readonly serviceAccount?: { readonly name: string; readonly namespace: string }
        readonly user?: { readonly name: string }
      }[]
      readonly resourceRules?: readonly {
        readonly apiGroups?: readonly string[]
        readonly resources?: readonly string[]
      }[]
    }[]
  }
}

/** Priority levels that the requests of all service accounts share. */
const SHARED: ReadonlySet<string> = new Set(['workload-low', 'global-default', 'catch-all'])

/** Returns whether the schema matches the account's requests for NodeClaims. Without these requests Kerf cannot launch nodes. */
const isFor = ({ spec }: FlowSchema, namespace: string, name: string): boolean =>
  (spec?.rules ?? []).some(
    ({ subjects = [], resourceRules = [] }) =>
      subjects.some(({ kind, group, serviceAccount, user }) => {
        if (kind === 'ServiceAccount')
          return serviceAccount?.namespace === namespace && ['*', name].includes(serviceAccount.name)
        if (kind === 'User') return user?.name === '*' || user?.name === `system:serviceaccount:${namespace}:${name}`
        return ['*', 'system:authenticated', 'system:serviceaccounts', `system:serviceaccounts:${namespace}`].includes(
          group?.name ?? '',
        )
      }) &&
      resourceRules.some(
        ({ apiGroups = [], resources = [] }) =>
          ['*', 'karpenter.sh'].some((each) => apiGroups.includes(each)) &&
          ['*', 'nodeclaims'].some((each) => resources.includes(each)),
      ),
  )

export const ctl007: Check = {
  id: 'CTL-007',
  group: 'controller',
  severity: 'warning',
  title: 'Controller that shares its API priority level',
  why: 'Service accounts outside kube-system share the priority level workload-low. If another controller sends too many requests, the autoscaler is throttled too (429). A separate FlowSchema, or running in kube-system, avoids this. apiserver_flowcontrol_rejected_requests_total counts rejected requests.',
  reads: ['Deployment', 'FlowSchema'],
  examine({ controllers, objects }) {
    if (controllers.length === 0) return undecided('no Deployment of Kerf or Karpenter was found')
    const schemas = [...(objects.named('FlowSchema') as readonly FlowSchema[])].sort(
      (a, b) => (a.spec?.matchingPrecedence ?? 0) - (b.spec?.matchingPrecedence ?? 0),
    )
    const shared = controllers.flatMap((deployment) => {
      const { namespace = 'default' } = deployment.metadata
      const schema = schemas.find((each) =>
        isFor(each, namespace, deployment.spec.template.spec.serviceAccountName ?? 'default'),
      )
      const level = schema?.spec?.priorityLevelConfiguration?.name ?? ''
      return SHARED.has(level) ? [{ object: objectName(deployment), schema: schema?.metadata.name ?? '', level }] : []
    })
    return foundAny(
      shared.map(({ object }) => object),
      {
        seen: shared
          .map(
            ({ object, schema, level }) => `${object} uses the FlowSchema ${schema} with the priority level ${level}`,
          )
          .join('; '),
        remedy:
          'run it in kube-system, or create a FlowSchema for its service account with the priority level workload-high or leader-election',
      },
      'its requests do not share a priority level with all service accounts',
    )
  },
}
