import { EmptyContent, Loader } from '@kinvolk/headlamp-plugin/lib/CommonComponents'
import type { ReactNode } from 'react'
import { useDiscovery } from '../cluster/discovery.ts'
import { useWords } from '../words/use-words.ts'

/** Shows a page of ours only on a cluster that has NodePools; anything else is said plainly. */
export const Guard = ({ children }: { readonly children: ReactNode }) => {
  const say = useWords()
  const { state } = useDiscovery()
  switch (state) {
    case 'asking':
      return <Loader title={say('loading')} />
    case 'absent':
      return <EmptyContent>{say('noKarpenter')}</EmptyContent>
    case 'unknown':
      return <EmptyContent>{say('notReadable')}</EmptyContent>
    case 'present':
      return <>{children}</>
  }
}
