import type { Key } from '../locales/translate.ts'
import { useLanguage, useT } from '../locales/use-t.ts'
import type { Next } from '../model/forecast.ts'
import { showPrice } from '../model/price.ts'
import type { Readable } from '../model/reported.ts'
import { CLAIM_CODES } from '../model/status.ts'
import { ClaimLink, PoolLink } from './links.tsx'
import { NameCell, PanelList, PanelRow, TallCell } from './panel.tsx'
import { holdText } from './reported-blocker-text.ts'
import { momentText, relativeTime } from './show-time.tsx'

/** The reasons of the `Drifted` condition that have a text. */
const DRIFTS: ReadonlySet<string> = new Set(['NodePoolDrifted', 'RequirementsDrifted'])

/** Shows what will happen next: the action, its nodes, its earliest time, what blocks it, and how much it saves. */
export const NextList = ({
  rows,
  now,
  readable,
}: {
  readonly rows: readonly Next[]
  readonly now: number
  readonly readable: Readable
}) => {
  const t = useT()
  const language = useLanguage()
  const detailOf = (row: Next): string => {
    const { kind, detail, until, blocker, others = 0 } = row
    if (kind === 'disruption-stops') return until === undefined ? '' : t('untilTime', { time: momentText(until, now) })
    if (kind === 'budget-changes' || kind === 'disruption-resumes')
      return detail === '' ? t('noLimit') : t('budget.mostAlways', { nodes: detail })
    if (blocker !== undefined) return holdText({ ...row, blocker, others }, readable, language, t)
    if (kind === 'drifted' && DRIFTS.has(detail)) return t(`drift.${detail}` as Key)
    const code = CLAIM_CODES.find((each) => each === detail)
    return code === undefined ? detail : t(`status.${code}`)
  }
  const timeOf = ({ at, since, blocker, atOnce }: Next): string => {
    if (atOnce !== undefined) return t('nowAtOnce', { count: atOnce })
    if (at !== undefined) return at <= now ? t('now') : relativeTime(at, now)
    if (since !== undefined) return t('sinceTime', { time: relativeTime(since, now) })
    return t(blocker === undefined ? 'now' : 'held')
  }
  return (
    <PanelList>
      {rows.map((row) => {
        const { kind, subjects, pool, saves } = row
        const [only] = subjects
        const more = subjects.length > 1 ? t('andMore', { count: subjects.length - 1 }) : ''
        const detail = detailOf(row)
        return (
          <PanelRow
            key={`${kind}${pool}${subjects.join()}${row.at}`}
            columns="minmax(4rem, 7.3rem) minmax(3rem, 1.65fr) minmax(3rem, 1fr) minmax(3rem, 6.2rem)"
          >
            <TallCell>{t(`next.${kind}`)}</TallCell>
            <NameCell title={[...subjects, pool, more].filter((each) => each !== '').join(', ')}>
              {only === undefined ? <PoolLink name={pool || undefined} /> : <ClaimLink name={only} />}
              {more !== '' && ` ${more}`}
            </NameCell>
            <TallCell>
              {[...(saves === undefined ? [] : [t('saves', { cost: showPrice(saves) })]), detail]
                .filter((each) => each !== '')
                .join(' · ')}
            </TallCell>
            <TallCell>{timeOf(row)}</TallCell>
          </PanelRow>
        )
      })}
    </PanelList>
  )
}
