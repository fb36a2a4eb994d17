import {
  clusterPolicyResource,
  nodeOverlayResource,
  nodePoolPolicyResource,
  nodePoolResource,
  type StructuralSchema,
} from '@kerf/apis'
import { claimSpec, labelMap, labelSelector, podSpec, requirement, resources, toleration } from './kept-pod-fields.ts'
import { keptBySchema } from './kept-schema.ts'
import {
  adjustment,
  cron,
  currencyCode,
  day,
  duration,
  fields,
  flag,
  type Kept,
  keepOneOf,
  labelKey,
  labelValue,
  list,
  name,
  number,
  numberOrPercent,
  typeNames,
  utcTime,
} from './kept-values.ts'

/** This file lists the recorded resource kinds. For each kind, it lists the fields that a recording keeps, except metadata. */

const taint = fields({
  key: labelKey,
  value: labelValue,
  effect: keepOneOf('NoSchedule', 'PreferNoSchedule', 'NoExecute'),
})

/** Annotations that affect Kerf or the simulated kubelets, with the accepted formats of their values. */
export const annotationMap: Kept = fields({
  'karpenter.sh/do-not-disrupt': (value) => keepOneOf('true', 'false')(value) ?? duration(value),
  'controller.kubernetes.io/pod-deletion-cost': (value) =>
    typeof value === 'string' && /^-?[0-9]+$/.test(value) ? value : undefined,
  'sandbox.kerf.sh/start-after': duration,
  'sandbox.kerf.sh/ready-after': duration,
  'sandbox.kerf.sh/run-for': duration,
  'sandbox.kerf.sh/stop-after': duration,
  'sandbox.kerf.sh/boot-after': duration,
  'sandbox.kerf.sh/exit-code': (value) => (typeof value === 'string' && /^[0-9]+$/.test(value) ? value : undefined),
})

const template = (metadata: Kept): Kept => fields({ metadata, spec: podSpec })

const rolling = fields({ maxSurge: numberOrPercent, maxUnavailable: numberOrPercent, partition: number })
const updates = fields({ type: keepOneOf('RollingUpdate', 'Recreate', 'OnDelete'), rollingUpdate: rolling })

const nodePool = (metadata: Kept): Kept =>
  keptBySchema(nodePoolResource.spec, {
    'template.metadata': metadata,
    'template.spec.nodeClassRef': fields({ group: name, kind: nameOfKind, name }),
    'template.spec.requirements': list(fields({ ...requirement, minValues: number })),
    'template.spec.taints': list(taint),
    'template.spec.startupTaints': list(taint),
    'disruption.budgets.nodes': numberOrPercent,
    'disruption.budgets.schedule': cron,
    'disruption.budgets.duration': duration,
    limits: resources,
  })

const nameOfKind: Kept = (value) => (typeof value === 'string' && /^[A-Za-z0-9]{1,63}$/.test(value) ? value : undefined)

const claimTemplate = (metadata: Kept): Kept => fields({ metadata, spec: claimSpec })

/** Returns the fields of workloads. `metadata` selects the metadata of their pod templates. */
const workloadFields = (metadata: Kept): Readonly<Record<string, Kept>> => ({
  Deployment: fields({
    spec: fields({
      replicas: number,
      selector: labelSelector,
      strategy: updates,
      minReadySeconds: number,
      template: template(metadata),
    }),
  }),
  StatefulSet: fields({
    spec: fields({
      replicas: number,
      selector: labelSelector,
      serviceName: name,
      podManagementPolicy: keepOneOf('OrderedReady', 'Parallel'),
      updateStrategy: updates,
      minReadySeconds: number,
      template: template(metadata),
      volumeClaimTemplates: list(claimTemplate(metadata)),
    }),
  }),
  DaemonSet: fields({
    spec: fields({
      selector: labelSelector,
      updateStrategy: updates,
      minReadySeconds: number,
      template: template(metadata),
    }),
  }),
  Job: fields({
    spec: fields({
      parallelism: number,
      completions: number,
      completionMode: keepOneOf('NonIndexed', 'Indexed'),
      backoffLimit: number,
      template: template(metadata),
    }),
  }),
})

/** The texts of commitments, in the ClusterPolicy itself and in its status. */
const commitmentTexts: Readonly<Record<string, Kept>> = {
  name,
  'prepaid.instanceType': labelValue,
  'prepaid.instanceTypes': list(typeNames),
  'prepaid.normalizedUnits': adjustment,
  'prepaid.committedUsdPerHour': adjustment,
  'prepaid.rates.factor': adjustment,
  'prepaid.rates.instanceTypes.instanceType': labelValue,
  'prepaid.rates.instanceTypes.usdPerHour': adjustment,
  'prepaid.region': labelValue,
  'prepaid.zone': labelValue,
  'prepaid.share': adjustment,
  'prepaid.usdPerHour': adjustment,
  'prepaid.start': utcTime,
  'prepaid.end': utcTime,
  'discount.factor': adjustment,
  'discount.instanceTypes': list(typeNames),
}
const clusterPolicySchema: StructuralSchema = clusterPolicyResource.spec
const commitmentList: Kept = keptBySchema(clusterPolicySchema.properties?.['commitments'] ?? {}, commitmentTexts)

/** The fields of objects without pod templates. */
const policyFields: Readonly<Record<string, Kept>> = {
  PodDisruptionBudget: fields({
    spec: fields({
      minAvailable: numberOrPercent,
      maxUnavailable: numberOrPercent,
      selector: labelSelector,
      unhealthyPodEvictionPolicy: keepOneOf('IfHealthyBudget', 'AlwaysAllow'),
    }),
  }),
  NodeOverlay: fields({
    spec: keptBySchema(nodeOverlayResource.spec, {
      requirements: list(fields(requirement)),
      priceAdjustment: adjustment,
      price: adjustment,
      capacity: resources,
    }),
  }),
  ClusterPolicy: fields({
    spec: keptBySchema(clusterPolicyResource.spec, {
      'ceilings.resources': resources,
      'ceilings.usdPerHour': adjustment,
      commitments: commitmentList,
      // The names of ConfigMaps and files may be private. Commands read the commitments from the status instead.
      'commitmentSource.configMap': (value) => (value === undefined ? undefined : {}),
      'commitmentSource.file': (value) => (value === undefined ? undefined : '/commitments.yaml'),
      'commitmentSource.account.share': adjustment,
      // The names of ConfigMaps and files may be private. Commands read the prices from the status instead.
      'priceBook.configMap': (value) => (value === undefined ? undefined : {}),
      'priceBook.file': (value) => (value === undefined ? undefined : '/prices.yaml'),
      'priceBook.currency.code': currencyCode,
      'priceBook.currency.usd': adjustment,
      'priceBook.currency.date': day,
    }),
    status: fields({
      commitmentSource: fields({ commitments: commitmentList }),
      priceBook: fields({
        prices: list(
          fields({
            instanceType: labelValue,
            capacityType: keepOneOf('on-demand', 'spot'),
            zone: labelValue,
            usdPerHour: adjustment,
            asOf: day,
          }),
        ),
      }),
    }),
  }),
  NodePoolPolicy: fields({
    spec: keptBySchema(nodePoolPolicyResource.spec, {
      targetRefs: list(fields({ group: keepOneOf('karpenter.sh'), kind: keepOneOf('NodePool'), name })),
      targetSelector: labelSelector,
      'access.namespaceSelector': labelSelector,
      'access.schedulerNames': list(name),
    }),
  }),
  Namespace: fields({}),
  PriorityClass: fields({
    value: number,
    globalDefault: flag,
    preemptionPolicy: keepOneOf('PreemptLowerPriority', 'Never'),
  }),
  RuntimeClass: fields({
    handler: name,
    overhead: fields({ podFixed: resources }),
    scheduling: fields({ nodeSelector: labelMap, tolerations: list(toleration) }),
  }),
  StorageClass: fields({
    provisioner: name,
    volumeBindingMode: keepOneOf('Immediate', 'WaitForFirstConsumer'),
    allowedTopologies: list(
      fields({ matchLabelExpressions: list(fields({ key: labelKey, values: list(labelValue) })) }),
    ),
  }),
}

/** Returns the fields that a recording keeps, by kind. `metadata` selects the metadata of pod templates. */
export const keptFields = (metadata: Kept): Readonly<Record<string, Kept>> => ({
  Pod: fields({ spec: podSpec }),
  ...workloadFields(metadata),
  PersistentVolumeClaim: fields({ spec: claimSpec }),
  NodePool: fields({ spec: nodePool(metadata) }),
  ...policyFields,
})
