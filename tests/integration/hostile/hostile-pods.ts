import { kinds } from '@kerf/apis'
import fc from 'fast-check'
import type { HostileObject } from './hostile-object.ts'
import {
  annotations,
  anyQuantity,
  expression,
  extendedResource,
  labelKey,
  labels,
  labelValue,
  objectName,
  quantity,
  selector,
} from './hostile-words.ts'

/** The namespace of every namespaced hostile object. */
export const TENANT = 'tenant'

const requests = fc.tuple(
  fc.record({ cpu: anyQuantity, memory: anyQuantity }, { requiredKeys: [] }),
  fc.dictionary(extendedResource, fc.nat(3).map(String), { maxKeys: 1 }),
)

const container = requests.map(([amounts, extended]) => ({
  name: 'main',
  image: 'example.invalid/image:1',
  resources: { requests: { ...amounts, ...extended }, limits: { ...extended } },
}))

const nodeAffinity = fc.record(
  {
    requiredDuringSchedulingIgnoredDuringExecution: fc
      .array(
        fc.record(
          {
            matchExpressions: fc.array(expression, { maxLength: 2 }),
            matchFields: fc.constant([{ key: 'metadata.name', operator: 'In', values: ['constructor'] }]),
          },
          { requiredKeys: [] },
        ),
        { minLength: 1, maxLength: 2 },
      )
      .map((nodeSelectorTerms) => ({ nodeSelectorTerms })),
    preferredDuringSchedulingIgnoredDuringExecution: fc.array(
      fc.record({
        weight: fc.integer({ min: 1, max: 100 }),
        preference: fc.record({ matchExpressions: fc.array(expression, { minLength: 1, maxLength: 1 }) }),
      }),
      { maxLength: 1 },
    ),
  },
  { requiredKeys: [] },
)

/**
 * A pod affinity term for the pod's own namespace. A term for other namespaces could keep ordinary pods away, and Kerf would be right to
 * respect it.
 */
const podTerm = fc.record({ labelSelector: selector, topologyKey: labelKey })

const podAffinity = fc.record(
  {
    requiredDuringSchedulingIgnoredDuringExecution: fc.array(podTerm, { minLength: 1, maxLength: 2 }),
    preferredDuringSchedulingIgnoredDuringExecution: fc.array(
      fc.record({ weight: fc.integer({ min: 1, max: 100 }), podAffinityTerm: podTerm }),
      { maxLength: 1 },
    ),
  },
  { requiredKeys: [] },
)

const spread = fc
  .record(
    {
      maxSkew: fc.constantFrom(1, 2, 2_147_483_647),
      topologyKey: labelKey,
      whenUnsatisfiable: fc.constantFrom('DoNotSchedule', 'ScheduleAnyway'),
      labelSelector: selector,
      nodeAffinityPolicy: fc.constantFrom('Honor', 'Ignore'),
      nodeTaintsPolicy: fc.constantFrom('Honor', 'Ignore'),
    },
    { requiredKeys: ['maxSkew', 'topologyKey', 'whenUnsatisfiable'] },
  )
  .map((drawn) => [drawn])

const toleration = fc.oneof(
  fc.constant({ operator: 'Exists' }),
  fc.record({ key: labelKey, operator: fc.constant('Exists') }),
  fc.record({ key: labelKey, operator: fc.constant('Equal'), value: labelValue, effect: fc.constant('NoSchedule') }),
)

const volume = fc.constantFrom(
  { name: 'data', persistentVolumeClaim: { claimName: 'missing' } },
  { name: 'data', persistentVolumeClaim: { claimName: 'constructor' } },
  { name: 'data', hostPath: { path: '/' } },
  { name: 'data', emptyDir: { sizeLimit: '1n' } },
  {
    name: 'data',
    ephemeral: {
      volumeClaimTemplate: {
        spec: {
          storageClassName: 'constructor',
          accessModes: ['ReadWriteOnce'],
          resources: { requests: { storage: '1Gi' } },
        },
      },
    },
  },
)

/** The spec of a pod that the API server accepts. */
const podSpec = fc
  .record(
    {
      nodeSelector: fc.dictionary(labelKey, labelValue, { minKeys: 1, maxKeys: 2 }),
      affinity: fc.record({ nodeAffinity, podAffinity, podAntiAffinity: podAffinity }, { requiredKeys: [] }),
      topologySpreadConstraints: spread,
      tolerations: fc.array(toleration, { maxLength: 2 }),
      volumes: fc.array(volume, { minLength: 1, maxLength: 1 }),
      schedulerName: fc.constantFrom('constructor', 'another-scheduler'),
      schedulingGates: fc.constant([{ name: 'constructor' }]),
      preemptionPolicy: fc.constant('PreemptLowerPriority'),
      resourceClaims: fc.constant([{ name: 'constructor', resourceClaimName: 'missing' }]),
      os: fc.constantFrom({ name: 'windows' }, { name: 'linux' }),
      hostNetwork: fc.constant(true),
      terminationGracePeriodSeconds: fc.constantFrom(0, 1, 2_147_483_647),
    },
    { requiredKeys: [] },
  )
  .chain((spec) => container.map((main) => ({ ...spec, containers: [main] })))

const metadata = fc.record({ labels, annotations })

/** The longest pod name with which `POD-data`, the name of an ephemeral volume's claim, has at most 253 characters. */
const LONGEST_POD = 253 - '-data'.length

export const hostilePod: fc.Arbitrary<HostileObject> = fc
  .tuple(objectName(LONGEST_POD), metadata, podSpec)
  .map(([name, meta, spec]) => ({
    kind: kinds.Pod,
    object: { apiVersion: 'v1', kind: 'Pod', metadata: { name, namespace: TENANT, ...meta }, spec },
  }))

/** Owners of pods. DaemonSets request little, because their pods reduce the capacity of every node. */
export const hostileWorkload: fc.Arbitrary<HostileObject> = fc
  .tuple(
    objectName(50),
    metadata,
    podSpec,
    fc.integer({ min: 0, max: 3 }),
    fc.constantFrom('Deployment', 'DaemonSet', 'Job'),
  )
  .chain(([name, meta, drawn, replicas, kind]) =>
    fc.record({ cpu: quantity, memory: quantity }).map((little): HostileObject => {
      const template = (spec: object) => ({ metadata: meta, spec })
      const about = { name, namespace: TENANT, ...meta }
      const matching = { selector: { matchLabels: { tenant: 'hostile' } } }
      switch (kind) {
        case 'Deployment':
          return {
            kind: kinds.Deployment,
            object: {
              apiVersion: 'apps/v1',
              kind,
              metadata: about,
              spec: { replicas, ...matching, template: template(drawn) },
            },
          }
        case 'DaemonSet': {
          const containers = [
            { name: 'main', image: 'example.invalid/image:1', resources: { requests: SMALL(little) } },
          ]
          return {
            kind: kinds.DaemonSet,
            object: {
              apiVersion: 'apps/v1',
              kind,
              metadata: about,
              spec: { ...matching, template: template({ ...drawn, containers }) },
            },
          }
        }
        default:
          return {
            kind: kinds.Job,
            object: {
              apiVersion: 'batch/v1',
              kind: 'Job',
              metadata: about,
              spec: { parallelism: replicas, template: template({ ...drawn, restartPolicy: 'Never' }) },
            },
          }
      }
    }),
  )

/** Amounts of at most a thousandth of a small node, in any notation. */
const SMALL = ({ cpu }: { readonly cpu: string }): Record<string, string> =>
  ['1n', '1u', '1m', '0'].includes(cpu) ? { cpu } : { cpu: '1m', memory: '1Mi' }
