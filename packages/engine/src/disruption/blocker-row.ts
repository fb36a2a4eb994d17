import type { Node, NodeClaim } from '@kerf/apis'
import type { ReasonDefinition } from '../reasons/reason-row.ts'

/** The parameters that contain the `namespace/name` of one or more objects. */
export interface NamingFields<Field extends string = string> {
  readonly pods: readonly Field[]
  readonly budgets?: readonly Field[]
}

/**
 * The data that a rule about a single node may read. Labels and annotations are those of the Node, or of the NodeClaim before it
 * has a Node.
 */
export interface AssessedNode {
  readonly node: Node
  readonly claim: NodeClaim
  readonly nodePool: string | undefined
  readonly annotations: Readonly<Record<string, string>>
}

/** Everything about one blocker: its texts, when it applies, and how it is reported. */
export interface BlockerRow<Parameters extends object> extends ReasonDefinition {
  /**
   * Returns the text of the blocker. If Karpenter has an Event for it, this is the Event's text, so that users can search for it
   * (`docs/spec/disruption.md#candidates`, `docs/spec/disruption.md#eligibility`, `docs/spec/disruption.md#consolidation`). It starts with
   * a lower-case letter; Events capitalise it.
   */
  sentence(blocker: Parameters): string
  /** Returns advice on how to remove the blocker; `undefined` if it expires or if Kerf removes it. */
  remedy(blocker: Parameters): string | undefined
  /**
   * Returns the parameters of the blocker if it applies to the node, else `undefined`. Absent if the node and its claim are not enough to
   * decide. In that case, a controller decides.
   */
  appliesTo?(node: AssessedNode): Parameters | undefined
  /**
   * The parameters that contain names of pods or PodDisruptionBudgets, because some readers are not allowed to see these names. `none` if
   * there are none. `reasons` if the parameter is a list of pods with reasons, because these reasons may name further objects.
   */
  readonly names: 'none' | 'reasons' | NamingFields<keyof Parameters & string>
  /** Whether the blocker is published as an Event. Default: false, because most blockers would only repeat what conditions show. */
  readonly isPublished?: boolean
  /** Whether the blocker is ignored if the NodeClaim has a terminationGracePeriod, which ends the pods anyway. Default: false. */
  readonly isWaivable?: boolean
  /**
   * Returns whether the blocker usually ends within minutes. If it does, its condition is written only after a delay. If absent, the
   * blocker is assumed to last.
   */
  isTransient?(blocker: Parameters): boolean
  /** Whether other fields of the objects already show the blocker. Kerf then writes no condition about it. Default: false. */
  readonly isShownElsewhere?: boolean
  /** Whether the method never applies to nodes of this kind, so that reports leave the method out. Default: false. */
  readonly isOutOfScope?: boolean
}

/** Returns a row with the type of its parameters. */
export const row = <Parameters extends object = Record<never, never>>(
  definition: BlockerRow<Parameters>,
): BlockerRow<Parameters> => definition
