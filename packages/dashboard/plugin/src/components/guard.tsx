import { EmptyContent, Loader } from '@kinvolk/headlamp-plugin/lib/CommonComponents'
import type { ReactNode } from 'react'
import { useDiscovery } from '../cluster/discovery.ts'
import { type LiveName, LiveObjects } from '../cluster/live-objects.tsx'
import { useT } from '../locales/use-t.ts'
import { Ours } from './ours.tsx'

/** Shows a page of the plugin if the cluster has NodePools. On other clusters, explains why the page is empty. */
export const Guard = ({
  first,
  children,
}: {
  /** The lists to load first, because the page is already useful with them. */
  readonly first?: readonly LiveName[]
  readonly children: ReactNode
}) => {
  const t = useT()
  const { state } = useDiscovery()
  switch (state) {
    case 'asking':
      return <Loader title={t('loading')} />
    case 'absent':
      return <EmptyContent>{t('noKarpenter')}</EmptyContent>
    case 'unknown':
      return <EmptyContent>{t('notReadable')}</EmptyContent>
    case 'present':
      return (
        <LiveObjects first={first}>
          <Ours>{children}</Ours>
        </LiveObjects>
      )
  }
}
