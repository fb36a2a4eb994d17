import { messageOf } from './message.ts'
import { listAt, onceForEach, textAt, timeAt } from './read.ts'

export interface ConditionRow {
  readonly type: string
  readonly status: 'True' | 'False' | 'Unknown'
  readonly reason: string
  readonly message: string
  readonly since: number | undefined
}

/** Returns the conditions of any object. Omits entries without a type. */
export const conditionRows = onceForEach((object): readonly ConditionRow[] =>
  listAt(object, 'status', 'conditions').flatMap((each) => {
    const type = textAt(each, 'type')
    const status = textAt(each, 'status')
    if (type === undefined) return []
    return [
      {
        type,
        status: status === 'True' || status === 'False' ? status : 'Unknown',
        reason: textAt(each, 'reason') ?? '',
        message: messageOf(each),
        since: timeAt(each, 'lastTransitionTime'),
      },
    ]
  }),
)

export const findConditionRow = (object: unknown, type: string): ConditionRow | undefined =>
  conditionRows(object).find((each) => each.type === type)

export const isTrue = (object: unknown, type: string): boolean => findConditionRow(object, type)?.status === 'True'
