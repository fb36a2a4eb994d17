import { Link } from '@kinvolk/headlamp-plugin/lib/CommonComponents'
import { memo, useMemo } from 'react'
import { routes } from '../cluster/classes.ts'
import { PodLink } from '../components/links.tsx'
import { Cell, More, MOST_ROWS, NameCell, Nothing, Panel, PanelList, PanelRow } from '../components/panel.tsx'
import { useReasonText } from '../components/pending-summary.tsx'
import { showDuration } from '../components/show-time.tsx'
import { useT } from '../locales/use-t.ts'
import { emptyKey } from '../model/list-state.ts'
import { mergeGroups, type PendingGroup } from '../model/pending-groups.ts'

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
    const reasonOf = useReasonText()
    const lines = useMemo(() => groups && mergeGroups(groups, reasonOf), [groups, reasonOf])
    return (
      <Panel title={t('pendingAndWhy')} to={routes.pendingPods} toText={t('pendingPods')}>
        {lines === undefined || lines.length === 0 ? (
          <Nothing>{t(lines === undefined ? emptyKey(false, isLoading) : 'nothingPending')}</Nothing>
        ) : (
          <>
            <PanelList>
              {lines.slice(0, MOST_ROWS).map((group) => {
                const { id, namespace, workload, pods, since, message } = group
                const [only] = pods
                const name = workload.slice(workload.indexOf('/') + 1)
                return (
                  <PanelRow
                    key={id}
                    columns="minmax(3rem, 1.3fr) minmax(3rem, 3.6rem) minmax(4rem, 2.5fr) minmax(3rem, 5rem)"
                  >
                    <NameCell title={`${namespace}/${name} (${workload})`}>
                      {only !== undefined && workload.startsWith('Pod/') ? (
                        <PodLink name={only.name} namespace={namespace} />
                      ) : (
                        <Link routeName={routes.pendingPods}>{`${namespace}/${name}`}</Link>
                      )}
                    </NameCell>
                    <Cell>{t('podsCount', { count: pods.length })}</Cell>
                    <Cell more={message}>{reasonOf(group)}</Cell>
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
