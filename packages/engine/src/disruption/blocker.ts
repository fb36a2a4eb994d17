import { ownValue } from '@kerf/apis'
import {
  blockerCatalogue,
  candidateBlockers,
  type eligibilityBlockers,
  type moveBlockers,
} from './blocker-catalogue.ts'
import type { AssessedNode, BlockerRow, NamingFields } from './blocker-row.ts'
import type { terminationBlockers } from './termination-blockers.ts'

type ParametersOf<Row> = Row extends BlockerRow<infer Parameters> ? Parameters : never

/** The blockers of a table: the code and the parameters of each row. */
type BlockersOf<Table> = {
  readonly [Code in keyof Table & string]: { readonly code: Code } & ParametersOf<Table[Code]>
}[keyof Table & string]

/** A reason why no disruption method may disrupt a node (`docs/spec/disruption.md#candidates`). */
export type CandidateBlocker = BlockersOf<typeof candidateBlockers>
/** A reason why one disruption method must not disrupt a candidate (`docs/spec/disruption.md#eligibility`). */
export type EligibilityBlocker = BlockersOf<typeof eligibilityBlockers>
/** A reason why Kerf does not make a move although the node may be disrupted (`docs/spec/disruption.md#consolidation`). */
export type MoveBlocker = BlockersOf<typeof moveBlockers>
/** A reason why the termination of a deleted node is delayed (`docs/spec/termination.md`). */
export type TerminationBlocker = BlockersOf<typeof terminationBlockers>

/** A reason, as data, why a node is not disrupted or why its termination is delayed. */
export type Blocker = CandidateBlocker | EligibilityBlocker | MoveBlocker | TerminationBlocker

// The row of each code has functions that take the parameters of that code. TypeScript cannot derive this for a union, hence the cast.
const rows = blockerCatalogue as unknown as Readonly<Record<string, BlockerRow<Blocker>>>

const catalogueRow = ({ code }: Pick<Blocker, 'code'>): BlockerRow<Blocker> =>
  blockerCatalogue[code] as unknown as BlockerRow<Blocker>

/** Returns the text of a blocker. */
export const blockerSentence = (blocker: Blocker): string => catalogueRow(blocker).sentence(blocker)

/** Returns advice on how to remove the blocker; `undefined` if it expires or if Kerf removes it. */
export const blockerRemedy = (blocker: Blocker): string | undefined => catalogueRow(blocker).remedy(blocker)

/**
 * Returns the parameters of a blocker that name pods or PodDisruptionBudgets. Returns `none` for a code that this version of Kerf does not
 * define.
 */
export const namesInBlocker = ({ code }: Pick<Blocker, 'code'>): 'none' | 'reasons' | NamingFields => {
  const row: BlockerRow<Blocker> | undefined = ownValue(rows, code)
  return row?.names ?? 'none'
}

/** Returns whether a blocker is published as an Event. */
export const isPublishedBlocker = (blocker: Pick<Blocker, 'code'>): boolean =>
  catalogueRow(blocker).isPublished ?? false

/** Returns whether a blocker is ignored if the NodeClaim has a terminationGracePeriod, which ends the pods anyway. */
export const isWaivableBlocker = (blocker: Pick<Blocker, 'code'>): boolean => catalogueRow(blocker).isWaivable ?? false

/** Returns whether a blocker usually ends within minutes. */
export const isTransientBlocker = (blocker: Blocker): boolean => catalogueRow(blocker).isTransient?.(blocker) ?? false

/** Returns true if other fields of the object already show the blocker. Kerf then writes no condition about it. */
export const isShownElsewhere = (blocker: Pick<Blocker, 'code'>): boolean =>
  catalogueRow(blocker).isShownElsewhere ?? false

/**
 * Returns whether a blocker means that its method never applies to nodes of this kind. Returns false for a code that this version of Kerf
 * does not define.
 */
export const isOutOfScope = ({ code }: Pick<Blocker, 'code'>): boolean => {
  const row: BlockerRow<Blocker> | undefined = ownValue(rows, code)
  return row?.isOutOfScope ?? false
}

/** Returns the blockers that apply to the node according to their rows, in the order of the catalogue. */
export const nodeBlockers = (node: AssessedNode): readonly CandidateBlocker[] =>
  Object.entries(candidateBlockers as unknown as Readonly<Record<string, BlockerRow<object>>>).flatMap(
    ([code, { appliesTo }]) => {
      const parameters = appliesTo?.(node)
      return parameters === undefined ? [] : [{ code, ...parameters } as CandidateBlocker]
    },
  )
