import { Link } from '@kinvolk/headlamp-plugin/lib/CommonComponents'
import { Typography } from '@mui/material'
import { memo, useMemo } from 'react'
import { routes } from '../cluster/classes.ts'
import type { useDecisions } from '../cluster/use-events.ts'
import { useHistory } from '../cluster/use-history.ts'
import { useKept } from '../cluster/use-kept.ts'
import { ChangeList } from '../components/change-list.tsx'
import { PoolLink } from '../components/links.tsx'
import { Cell, More, MOST_ROWS, NameCell, Nothing, Panel, PanelList, PanelRow, TallCell } from '../components/panel.tsx'
import { sinceText } from '../components/pending-summary.tsx'
import { eventText } from '../locales/reasons.ts'
import type { Key, Language, Translate } from '../locales/translate.ts'
import { useLanguage, useT } from '../locales/use-t.ts'
import { type Changes, changesSince } from '../model/last-hour.ts'
import { emptyKey } from '../model/list-state.ts'
import { type RecentWarning, warningsSince } from '../model/recent-warnings.ts'

const HOUR = 3_600_000
const MOST_WARNINGS = 3

/**
 * Returns a warning's name and its text in the user's language. A warning without a time is a problem that a NodePool
 * has now.
 */
const warningTexts = (warning: RecentWarning, t: Translate, language: Language) => {
  const { what, time, count, message, others } = warning
  const name = time === undefined ? t(`status.${what}` as Key) : what
  const text = time === undefined ? message : eventText({ reason: what, message }, language)
  return {
    name: count > 1 ? `${name} (${count})` : name,
    text: others > 0 ? `${text} (${t('otherReasons', { count: others })})` : text,
  }
}

interface LastHourRowsProps {
  /** `undefined` if the NodeClaims are not known. */
  readonly changes: Changes | undefined
  readonly warnings: readonly RecentWarning[]
  /** The note on where the number of removed nodes comes from. Empty if the controller has a history. */
  readonly note: string
  readonly areEventsForbidden: boolean
  readonly isLoading: boolean
  readonly areEventsLoading: boolean
  readonly now: number
}

const LastHourRows = memo(
  ({ changes, warnings, note, areEventsForbidden, isLoading, areEventsLoading, now }: LastHourRowsProps) => {
    const t = useT()
    const language = useLanguage()
    // The note takes the space of one line.
    const most = note === '' ? MOST_WARNINGS : MOST_WARNINGS - 1
    return (
      <Panel title={t('lastHour')} to={routes.decisions} toText={t('decisions')}>
        {changes === undefined ? (
          <Nothing>{t(emptyKey(false, isLoading))}</Nothing>
        ) : (
          <ChangeList changes={changes} now={now} most={MOST_ROWS} />
        )}
        {note !== '' && (
          <Typography variant="caption" color="text.secondary" component="p">
            {note}
          </Typography>
        )}
        <Typography variant="subtitle2" component="h3" sx={{ mt: 0.5 }}>
          {t('wentWrong')}
        </Typography>
        {areEventsForbidden && <Nothing>{t('eventsForbidden')}</Nothing>}
        {warnings.length === 0 && !areEventsForbidden && (
          <Nothing>{t(isLoading || areEventsLoading ? 'loading' : 'nothingWrong')}</Nothing>
        )}
        <PanelList>
          {warnings.slice(0, most).map((warning) => {
            const { id, kind, name, time, otherObjects } = warning
            const texts = warningTexts(warning, t, language)
            const more = otherObjects > 0 ? ` ${t('andMore', { count: otherObjects })}` : ''
            return (
              <PanelRow
                key={id}
                columns="minmax(4rem, 11.5rem) minmax(4rem, 1.5fr) minmax(4rem, 1.4fr) minmax(3rem, 5rem)"
              >
                <TallCell>{texts.name}</TallCell>
                <NameCell title={`${kind} ${name}${more}`}>
                  {kind === 'NodePool' ? (
                    <PoolLink name={name} />
                  ) : (
                    <Link routeName={routes.decisions}>{`${kind} ${name}`}</Link>
                  )}
                  {more}
                </NameCell>
                <TallCell>{texts.text}</TallCell>
                <Cell>{time === undefined ? t('now') : sinceText(time, now)}</Cell>
              </PanelRow>
            )
          })}
        </PanelList>
        <More count={warnings.length - most} to={routes.decisions} />
      </Panel>
    )
  },
)

interface LastHourProps {
  readonly decisions: ReturnType<typeof useDecisions>
  readonly pools: readonly unknown[]
  readonly claims: readonly unknown[] | undefined
  readonly isLoading: boolean
  readonly now: number
}

/** Shows what changed in the last hour, and warnings below that. */
export const LastHourPanel = memo(({ decisions, pools, claims, isLoading, now }: LastHourProps) => {
  const t = useT()
  const history = useHistory(undefined)
  const since = now - HOUR
  const warnings = useMemo(() => warningsSince(decisions.rows, pools, since), [decisions.rows, pools, since])
  const areEventsKnown = !decisions.isForbidden && !decisions.isLoading
  const rows = areEventsKnown ? decisions.rows : undefined
  const changes = useMemo(
    () => claims && changesSince(typeof history === 'object' ? history : undefined, pools, claims, since, rows),
    [history, pools, claims, since, rows],
  )
  const isNoted = changes !== undefined && history === undefined
  return (
    <LastHourRows
      changes={useKept(changes)}
      warnings={useKept(warnings)}
      note={isNoted ? t(areEventsKnown ? 'removalsFromEvents' : 'removalsNotKnown') : ''}
      areEventsForbidden={decisions.isForbidden}
      isLoading={isLoading}
      areEventsLoading={decisions.isLoading}
      now={now}
    />
  )
})
