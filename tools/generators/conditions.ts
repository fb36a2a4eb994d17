import type { ConditionMeanings } from '@kerf/apis'
import { type ConditionSet, conditionSets } from '@kerf/apis'
import { type ProviderDescriptor, providerKinds } from '@kerf/provider-contract'
import { legacyTemplates, providers } from '../../packages/cli/src/providers.ts'

type CoreKind = 'NodePool' | 'NodeClaim' | 'NodeOverlay'
type LegacyKind = 'Provisioner'
type TypeOf<K extends CoreKind | LegacyKind> = (typeof conditionSets)[K]['dependents' | 'independent'][number]
type Meanings<K extends CoreKind | LegacyKind> = {
  readonly [Each in K]: Readonly<Record<TypeOf<Each>, ConditionMeanings[string]>>
}

/** The meaning of each condition of Kerf's own resource kinds. The code compiles only if this covers exactly the existing conditions. */
const coreMeanings: Meanings<CoreKind> = {
  NodePool: {
    ValidationSucceeded: {
      isTrue: 'the spec can be used',
      otherwise: '`NodePoolValidationFailed`: the message names the invalid field, for rules that the CRD cannot check',
    },
    NodeClassReady: {
      isTrue: 'the node class is Ready',
      otherwise:
        '`NodeClassNotFound`, `NodeClassTerminating`, `NodeClassReadinessUnknown`, or the reason of the node class: see its conditions',
    },
    NodeRegistrationHealthy: {
      isTrue: 'nodes of this NodePool join the cluster',
      otherwise:
        'two of the last four launches failed: `RegistrationFailed`, or the reason of the failed launch. Unknown: no launch since the NodePool or its node class changed. It does not stop launches',
    },
    Paused: {
      isTrue: 'disruption is paused: the message says by whom, why, and until when',
      otherwise: '`Unreadable`: the annotation cannot be parsed. Absent without a pause',
    },
    Cordoned: {
      isTrue: 'launches are stopped: the message says by whom, why, and until when',
      otherwise: '`Unreadable`: the annotation cannot be parsed. Absent without a cordon',
    },
    ConsolidatingNow: {
      isTrue: '`consolidateAfter` is ignored temporarily: the message says by whom, and until when',
      otherwise: '`Unreadable`: the annotation cannot be parsed. Absent otherwise',
    },
    ExpectedPodsLimited: {
      isTrue:
        'something limits `PLAN_EXPECTED_PODS=on`; the message says what: `Forbidden` (the API server refuses list and watch), `NoBatchingWindow`. Only in Kerf',
      otherwise: 'absent if nothing limits the setting, or if it is off',
    },
  },
  NodeClaim: {
    Launched: {
      isTrue: 'the instance is launched',
      otherwise:
        'the provider’s reason and message. After 5 minutes (or the time-out of the provider) the NodeClaim is deleted, and its pods are scheduled again',
    },
    Registered: {
      isTrue: 'the node has joined the cluster',
      otherwise:
        '`NodeNotFound`: no node has the provider ID of the instance yet; `MultipleNodesFound`; `RegistrationHookPending`. After 15 minutes the NodeClaim is deleted',
    },
    Initialized: {
      isTrue: 'the node is ready for pods',
      otherwise:
        '`NodeNotReady`, `StartupTaintsExist`, `KnownEphemeralTaintsExist`, `ResourceNotRegistered`, `DRADriverPoolsNotPublished`: the message names what it waits for. There is no time-out',
    },
    Consolidatable: {
      isTrue: 'no pod was added or removed for the duration of `consolidateAfter`',
      otherwise: 'absent until then',
    },
    Drifted: {
      isTrue:
        'the node differs from its NodePool or node class: `NodePoolDrifted`, `RequirementsDrifted`, `InstanceTypeNotFound`, or a reason of the provider such as `AMIDrift`',
      otherwise: 'absent while it has not drifted',
    },
    ConsistentStateFound: {
      isTrue: 'the node has the expected resources',
      otherwise: '`ConsistencyCheckFailed`: a resource is less than 90 % of the amount of the instance type',
    },
    Drained: {
      isTrue: 'the node is being deleted, and all its pods are gone',
      otherwise: '`Draining`: pods remain; the event `FailedDraining` names them and what they wait for',
    },
    VolumesDetached: {
      isTrue: 'all volumes are detached',
      otherwise: 'volumes are still attached, and the termination waits for them',
    },
    InstanceTerminating: {
      isTrue: 'Kerf requested the termination of the instance, which is not complete yet',
      otherwise: 'absent before',
    },
    DisruptionReason: {
      isTrue: 'the node is being disrupted; the reason says why: `Empty`, `Underutilized`, `Drifted`',
      otherwise: 'absent otherwise',
    },
    'kerf.sh/DisruptionBlocked': {
      isTrue: 'something blocks disruption of the node; the message says what. Only in Kerf',
      otherwise: 'absent if nothing blocks disruption',
    },
  },
  NodeOverlay: {
    ValidationSucceeded: {
      isTrue: 'the overlay is applied',
      otherwise:
        '`RuntimeValidation`: the message names the field; `Conflict`: another overlay of the same weight sets the same value',
    },
  },
}

const legacyMeanings: Meanings<LegacyKind> = {
  Provisioner: {
    Converted: {
      isTrue: 'a NodePool was created from this Provisioner',
      otherwise: 'the reason and the message explain why not',
    },
    NodePoolReady: { isTrue: 'that NodePool is Ready', otherwise: 'the reason of the NodePool: see its conditions' },
    FieldsChanged: { isTrue: 'some fields were not simply moved: the message names them', otherwise: 'absent' },
    FieldsGone: { isTrue: 'some fields have no counterpart in v1: the message names them', otherwise: 'absent' },
  },
}

/** The conditions of policies, which have no `Ready`. */
const policyMeanings: Readonly<Record<string, ConditionMeanings>> = {
  ClusterPolicy: {
    Accepted: {
      isTrue: 'the policy is applied; the message names the ceilings above which more is in use',
      otherwise: '`Invalid`: the message names the field. An invalid ceiling counts as 0, so Kerf launches no node',
    },
  },
  NodePoolPolicy: {
    Accepted: {
      isTrue: 'in `status.targets`: every section applies to the NodePool; in `status.conditions`: to every target',
      otherwise:
        '`Conflicted`: another policy has the section and applies instead; `Invalid`: the message names the field; `TargetNotFound`: the NodePool does not exist, or no NodePool has the labels',
    },
    Enforced: {
      isTrue:
        'in `status.targets`: a taint keeps pods without a toleration off the nodes. The condition does not say whether the fence is applied',
      otherwise:
        '`NoTaint`: kube-scheduler can bind every pod to the nodes; absent: the policy has no `access` section',
    },
    Sleeping: {
      isTrue: 'in `status.targets`: the NodePool sleeps; the message says until when, and how many nodes are left',
      otherwise:
        '`Awake`: it is within its hours; `Woken`: the annotation `kerf.sh/awake-until` keeps it awake; absent: it has no hours',
    },
  },
}

const section = (kind: string, { dependents }: ConditionSet, meanings: ConditionMeanings): string => {
  const rows = Object.entries(meanings).map(
    ([type, { isTrue, otherwise }]) =>
      `| \`${type}\`${dependents.includes(type) ? ' •' : ''} | ${isTrue} | ${otherwise} |`,
  )
  const table = ['| Condition | True | False, Unknown or absent |', '|---|---|---|', ...rows]
  return `## ${kind}\n\n${rows.length === 0 ? 'Only `Ready`, which is always True.' : table.join('\n')}`
}

const NONE: ConditionSet = { dependents: [] }

const all: readonly ProviderDescriptor[] = providers

const sections = async (): Promise<readonly string[]> => [
  ...Object.entries(coreMeanings).map(([kind, meanings]) => section(kind, conditionSets[kind as CoreKind], meanings)),
  ...Object.entries(policyMeanings).map(([kind, meanings]) => section(kind, NONE, meanings)),
  ...all
    .flatMap(providerKinds)
    .map(({ resource, conditions, conditionMeanings }) => section(resource.kind.kind, conditions, conditionMeanings)),
  ...Object.entries(legacyMeanings).map(([kind, meanings]) =>
    section(kind, conditionSets[kind as LegacyKind], meanings),
  ),
  ...[await legacyTemplates()].map(({ resource, conditions, conditionMeanings }) =>
    section(resource.kind.kind, conditions, conditionMeanings),
  ),
]

/** Generates docs/reference/conditions.md: every condition of every kind, with its meaning. */
export const files = async (): Promise<readonly { path: string; content: string }[]> => [
  {
    path: 'docs/reference/conditions.md',
    content: `# Conditions

<!-- Generated by tools/generators/conditions.ts from packages/apis/src/conditions.ts and the descriptors of the providers. -->

This page lists the conditions that Kerf sets in \`status.conditions\` of each kind. \`kubectl describe\` prints them, with a message that says what to do.

Every kind except policies has \`Ready\`. It is True when all conditions marked with • are True for the object as it is now. Otherwise its reason is
\`UnhealthyDependents\` (one is False) or \`ReconcilingDependents\` (one is Unknown, or about an older version of the object), and its message names
them. A new object begins with \`Unknown\`, reason \`AwaitingReconciliation\`. [The rules](../spec/lifecycle.md#condition-sets) are in the specification.

Wait for a condition, or list what is wrong:

\`\`\`sh
kubectl wait --for=condition=Ready nodepool/default --timeout 2m
kubectl get nodeclaims -o jsonpath='{range .items[*]}{.metadata.name}{"  "}{.status.conditions[?(@.status!="True")].message}{"\\n"}{end}'
\`\`\`

${(await sections()).join('\n\n')}
`,
  },
]
