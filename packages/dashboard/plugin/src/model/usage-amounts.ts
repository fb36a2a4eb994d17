import { poolUsage, showAmount } from './amounts.ts'
import { objectName } from './read.ts'

/**
 * Returns the text of the used amount and its limit for each line of the chart of limits, keyed by the name of the line.
 * `text` combines the two amounts. A line is named by its NodePool and resource.
 */
export const usageAmounts = (
  pools: readonly unknown[],
  text: (used: string, limit: string) => string,
): ReadonlyMap<string, string> =>
  new Map(
    pools.flatMap((pool) =>
      poolUsage(pool).flatMap(({ resource, used, limit }) =>
        limit === undefined
          ? []
          : [
              [
                `${objectName(pool)} · ${resource}`,
                text(showAmount(resource, used), showAmount(resource, limit)),
              ] as const,
            ],
      ),
    ),
  )
