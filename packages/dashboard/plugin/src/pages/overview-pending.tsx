import { Link } from '@kinvolk/headlamp-plugin/lib/CommonComponents'
import { memo } from 'react'
import { routes } from '../cluster/classes.ts'
import { PodLink } from '../components/links.tsx'
import { Cell, More, MOST_ROWS, Nothing, Panel, PanelList, PanelRow } from '../components/panel.tsx'
import { usePoolReasonText } from '../components/pending-summary.tsx'
import { showDuration } from '../components/show-time.tsx'
import { useT } from '../locales/use-t.ts'
import { emptyKey } from '../model/list-state.ts'
import type { PendingGroup } from '../model/pending-groups.ts'

/** Merges groups of a workload that have the same text. They differ only in details that the line does not show. */
const asLines = (
  groups: readonly PendingGroup[],
  reasonOf: (group: PendingGroup) => string,
): readonly PendingLine[] => {
  const lines = new Map<string, PendingLine>()
  for (const group of groups) {
    const { namespace, workload, message } = group
    const reason = reasonOf(group)
    const id = [namespace, workload, reason].join('\0')
    const known = lines.get(id)
    const since = Math.min(group.since ?? Number.POSITIVE_INFINITY, known?.since ?? Number.POSITIVE_INFINITY)
    const pods = [...(known?.pods ?? []), ...group.pods]
    lines.set(id, { id, namespace, workload, reason, message, pods, since: Number.isFinite(since) ? since : undefined })
  }
  return [...lines.values()].sort((a, b) => b.pods.length - a.pods.length)
}

interface PendingLine extends Pick<PendingGroup, 'id' | 'namespace' | 'workload' | 'message' | 'pods' | 'since'> {
  readonly reason: string
}

/** Shows the workloads with pending pods, and which constraints of which NodePools refuse the pods. */
export const PendingPanel = memo(
  ({
    groups,
    isLoading,
    now,
  }: {
    readonly groups: readonly PendingGroup[] | undefined
    readonly isLoading: boolean
    readonly now: number
  }) => {
    const t = useT()
    const reasonOf = usePoolReasonText()
    const lines = groups && asLines(groups, reasonOf)
    return (
      <Panel title={t('pendingAndWhy')} to={routes.pendingPods} toText={t('pendingPods')}>
        {lines === undefined || lines.length === 0 ? (
          <Nothing>{t(lines === undefined ? emptyKey(false, isLoading) : 'nothingPending')}</Nothing>
        ) : (
          <>
            <PanelList>
              {lines.slice(0, MOST_ROWS).map(({ id, namespace, workload, pods, since, reason, message }) => {
                const [only] = pods
                const name = workload.slice(workload.indexOf('/') + 1)
                return (
                  <PanelRow
                    key={id}
                    columns="minmax(3rem, 1.3fr) minmax(3rem, 3.6rem) minmax(4rem, 2.5fr) minmax(3rem, 5rem)"
                  >
                    <span title={`${namespace}/${name} (${workload})`}>
                      {only !== undefined && workload.startsWith('Pod/') ? (
                        <PodLink name={only.name} namespace={namespace} />
                      ) : (
                        <Link routeName={routes.pendingPods}>{`${namespace}/${name}`}</Link>
                      )}
                    </span>
                    <Cell>{t('podsCount', { count: pods.length })}</Cell>
                    <Cell more={message}>{reason}</Cell>
                    <Cell>{since === undefined ? '' : t('forTime', { time: showDuration(now - since) })}</Cell>
                  </PanelRow>
                )
              })}
            </PanelList>
            <More count={lines.length - MOST_ROWS} to={routes.pendingPods} />
          </>
        )}
      </Panel>
    )
  },
)
