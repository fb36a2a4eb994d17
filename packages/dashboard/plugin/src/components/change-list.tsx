import { Link } from '@kinvolk/headlamp-plugin/lib/CommonComponents'
import { routes } from '../cluster/classes.ts'
import { useT } from '../locales/use-t.ts'
import type { Changes, PoolChange } from '../model/last-hour.ts'
import { showPrice } from '../model/price.ts'
import { PoolLink } from './links.tsx'
import { Cell, More, NameCell, Nothing, PanelList, PanelRow } from './panel.tsx'
import { removalText } from './removal-text.ts'
import { relativeTime } from './show-time.tsx'

const COLUMNS = 'minmax(3rem, 1fr) minmax(5rem, 3fr) minmax(3rem, 5rem)'

/** Shows recent changes: first the cost, then edited NodePools, then the nodes of each NodePool. */
export const ChangeList = ({
  changes,
  now,
  most,
}: {
  readonly changes: Changes
  readonly now: number
  readonly most: number
}) => {
  const t = useT()
  const { cost, edits, pools } = changes
  const changeText = ({ launched, removed = [] }: PoolChange): string => {
    const gone = removed.reduce((sum, { count }) => sum + count, 0)
    const why = removed
      .map(({ reason, count }) => {
        const text = removalText(reason, t)
        return removed.length > 1 ? `${count} ${text}` : text
      })
      .join(', ')
    return [
      ...(launched > 0 ? [t('nodesLaunched', { count: launched })] : []),
      ...(gone > 0 ? [t('nodesRemoved', { count: gone, why })] : []),
    ].join(' · ')
  }
  const shown = pools.slice(0, Math.max(0, most - edits.length - 1))
  if (cost === undefined && edits.length === 0 && pools.length === 0) return <Nothing>{t('nothingChanged')}</Nothing>
  return (
    <>
      <PanelList>
        {cost !== undefined && (
          <PanelRow columns={COLUMNS}>
            <NameCell title={t('cost')}>
              <Link routeName={routes.metrics}>{t('cost')}</Link>
            </NameCell>
            <Cell>{t('costFromTo', { before: showPrice(cost.before), now: showPrice(cost.now) })}</Cell>
            <span />
          </PanelRow>
        )}
        {edits.slice(0, most - 1).map(({ pool, by, time }) => (
          <PanelRow key={`edit/${pool}`} columns={COLUMNS}>
            <NameCell title={pool}>
              <PoolLink name={pool} />
            </NameCell>
            <Cell>{t('poolEdited', { by })}</Cell>
            <Cell>{relativeTime(time, now)}</Cell>
          </PanelRow>
        ))}
        {shown.map((change) => (
          <PanelRow key={change.pool} columns={COLUMNS}>
            <NameCell title={change.pool}>
              <PoolLink name={change.pool || undefined} />
            </NameCell>
            <Cell>{changeText(change)}</Cell>
            <span />
          </PanelRow>
        ))}
      </PanelList>
      <More count={pools.length - shown.length} to={routes.nodePools} />
    </>
  )
}
