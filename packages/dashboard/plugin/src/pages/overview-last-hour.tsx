import { Link } from '@kinvolk/headlamp-plugin/lib/CommonComponents'
import { Typography } from '@mui/material'
import { memo, useMemo } from 'react'
import { routes } from '../cluster/classes.ts'
import type { useDecisions } from '../cluster/use-events.ts'
import { useHistory } from '../cluster/use-history.ts'
import { ChangeList } from '../components/change-list.tsx'
import { PoolLink } from '../components/links.tsx'
import { Cell, More, MOST_ROWS, Nothing, Panel, PanelList, PanelRow } from '../components/panel.tsx'
import { sinceText } from '../components/pending-summary.tsx'
import { eventText } from '../locales/reasons.ts'
import type { Key, Language, Translate } from '../locales/translate.ts'
import { useLanguage, useT } from '../locales/use-t.ts'
import { changesSince } from '../model/last-hour.ts'
import { emptyKey } from '../model/list-state.ts'
import { type RecentWarning, warningsSince } from '../model/recent-warnings.ts'

const HOUR = 3_600_000
const MOST_WARNINGS = 3

type Decisions = ReturnType<typeof useDecisions>

/** Returns a warning's name and its text in the user's language. A warning without a time is a state of a NodePool. */
const warningTexts = (warning: RecentWarning, t: Translate, language: Language) => {
  const { what, time, count, message, others } = warning
  const name = time === undefined ? t(`status.${what}` as Key) : what
  const text = time === undefined ? message : eventText({ reason: what, message }, language)
  return {
    name: count > 1 ? `${name} (${count})` : name,
    text: others > 0 ? `${text} (${t('otherReasons', { count: others })})` : text,
  }
}

/** Shows what changed in the last hour, and warnings below that. */
export const LastHourPanel = memo(
  ({
    decisions,
    pools,
    claims,
    isLoading,
    now,
  }: {
    readonly decisions: Decisions
    readonly pools: readonly unknown[]
    readonly claims: readonly unknown[] | undefined
    readonly isLoading: boolean
    readonly now: number
  }) => {
    const t = useT()
    const language = useLanguage()
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
    // The note takes the space of one line.
    const most = isNoted ? MOST_WARNINGS - 1 : MOST_WARNINGS
    return (
      <Panel title={t('lastHour')} to={routes.decisions} toText={t('decisions')}>
        {changes === undefined ? (
          <Nothing>{t(emptyKey(false, isLoading))}</Nothing>
        ) : (
          <ChangeList changes={changes} now={now} most={MOST_ROWS} />
        )}
        {isNoted && (
          <Typography variant="caption" color="text.secondary" component="p">
            {t(areEventsKnown ? 'removalsFromEvents' : 'removalsNotKnown')}
          </Typography>
        )}
        <Typography variant="subtitle2" component="h3" sx={{ mt: 0.5 }}>
          {t('wentWrong')}
        </Typography>
        {decisions.isForbidden && <Nothing>{t('eventsForbidden')}</Nothing>}
        {warnings.length === 0 && !decisions.isForbidden && (
          <Nothing>{t(isLoading || decisions.isLoading ? 'loading' : 'nothingWrong')}</Nothing>
        )}
        <PanelList>
          {warnings.slice(0, most).map((warning) => {
            const { id, kind, name, time, otherObjects } = warning
            const texts = warningTexts(warning, t, language)
            const more = otherObjects > 0 ? ` ${t('andMore', { count: otherObjects })}` : ''
            return (
              <PanelRow
                key={id}
                columns="minmax(4rem, 9rem) minmax(4rem, 1.6fr) minmax(4rem, 1.4fr) minmax(3rem, 5rem)"
              >
                <Cell>{texts.name}</Cell>
                <span title={`${kind} ${name}${more}`}>
                  {kind === 'NodePool' ? (
                    <PoolLink name={name} />
                  ) : (
                    <Link routeName={routes.decisions}>{`${kind} ${name}`}</Link>
                  )}
                  {more}
                </span>
                <Cell>{texts.text}</Cell>
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
