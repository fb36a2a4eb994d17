import type { Node, NodeClaim } from '@kerf/apis'
import type { ReasonDefinition } from '../reasons/reason-row.ts'

/** The parameters that contain `namespace/name` of an object, or a list of them. */
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

/** Everything about one blocker: its texts, the rule when it applies, and how it is reported. */
export interface BlockerRow<Parameters extends object> extends ReasonDefinition {
  /**
   * Returns the text of the blocker. If Karpenter has an Event for it, this is the Event's text, so that users can search for it
   * (`docs/spec/disruption.md#candidates`, `docs/spec/disruption.md#eligibility`, `docs/spec/disruption.md#consolidation`). It
   * starts with a small letter; Events capitalise it.
   */
  sentence(blocker: Parameters): string
  /** Returns how to remove the blocker; `undefined` if it ends by itself or Kerf removes it. */
  remedy(blocker: Parameters): string | undefined
  /**
   * Returns the parameters of the blocker if it applies to the node, else `undefined`. Absent if the rule needs more data than the node and
   * its claim. In that case, a controller applies the rule.
   */
  appliesTo?(node: AssessedNode): Parameters | undefined
  /**
   * The parameters that name pods or PodDisruptionBudgets, which not every reader may see. `none` if there are no such parameters.
   * `reasons` if the parameter is a list of pods with reasons, because these reasons may name further objects.
   */
  readonly names: 'none' | 'reasons' | NamingFields<keyof Parameters & string>
  /** Whether the blocker is published as an Event. Default: false, because most blockers would only repeat what conditions show. */
  readonly isPublished?: boolean
  /** Whether the blocker is ignored if the NodeClaim's terminationGracePeriod ends the pods in spite of it. Default: false. */
  readonly isWaivable?: boolean
  /** Returns whether the blocker usually ends within minutes, so that its condition is written late. If absent, the blocker lasts. */
  isTransient?(blocker: Parameters): boolean
  /** Whether other fields of the objects already show the blocker, so that it gets no condition. Default: false. */
  readonly isShownElsewhere?: boolean
  /** Whether the method never applies to nodes of this kind, so that reports leave the method out. Default: false. */
  readonly isOutOfScope?: boolean
}

/** Returns a row with the type of its parameters. */
export const row = <Parameters extends object = Record<never, never>>(
  definition: BlockerRow<Parameters>,
): BlockerRow<Parameters> => definition
