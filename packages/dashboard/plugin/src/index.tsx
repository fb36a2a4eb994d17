import {
  registerMapSource,
  registerPluginSettings,
  registerRoute,
  registerSidebarEntry,
  registerSidebarEntryFilter,
  registerUIPanel,
  Utils,
} from '@kinvolk/headlamp-plugin/lib'
import type { ReactNode } from 'react'
import { type RouteName, routes } from './cluster/classes.ts'
import { clusterDiscovery, onDiscovery } from './cluster/discovery.ts'
import { EditorPanel } from './editor/editor-panel.tsx'
import type { Key } from './locales/translate.ts'
import { translatorNow } from './locales/use-t.ts'
import { mapSource, registerKindIcons } from './map-source.tsx'
import { addToOtherPages } from './other-pages.tsx'
import { CapacityBufferPage, CapacityBuffersPage } from './pages/capacity-buffers.tsx'
import { DecisionsPage } from './pages/decisions.tsx'
import { FullnessPage } from './pages/fullness.tsx'
import { MetricsPage } from './pages/metrics.tsx'
import { NodeClaimPage } from './pages/node-claim.tsx'
import { NodeClaimsPage } from './pages/node-claims.tsx'
import { NodeClassPage } from './pages/node-class.tsx'
import { NodeClassesPage } from './pages/node-classes.tsx'
import { NodeOverlayPage, NodeOverlaysPage } from './pages/node-overlays.tsx'
import { NodePoolPage } from './pages/node-pool.tsx'
import { NodePoolsPage } from './pages/node-pools.tsx'
import { OverviewPage } from './pages/overview.tsx'
import { PendingPodsPage } from './pages/pending-pods.tsx'
import { PoliciesPage } from './pages/policies.tsx'
import { SettingsPage } from './pages/settings.tsx'
import { PLUGIN_NAME } from './settings/settings.ts'

const ROOT = 'kerf'

// Starts discovery before anything is rendered, because the first page waits for the result.
const opened = Utils.getCluster()
if (opened !== null && opened !== '') clusterDiscovery(opened)

/** The icon is part of the plugin, because Headlamp would request an unknown icon from the Internet. */
const ICON = {
  body: '<path fill="none" stroke="currentColor" stroke-width="2.4" stroke-linecap="round" d="M4 6h16M4 12h9M4 18h5M18 11v10"/>',
  width: 24,
  height: 24,
}

interface Page {
  readonly route: RouteName
  readonly path: string
  readonly component: () => ReactNode
  /** The sidebar entry of the page. A details page highlights the entry of its list. */
  readonly entry: string
  /** The key of the entry's text. Absent for details pages, because they have no entry. */
  readonly textKey?: Key
}

const pages: readonly Page[] = [
  {
    route: routes.overview,
    path: '/karpenter',
    component: OverviewPage,
    entry: 'kerf-overview',
    textKey: 'overview',
  },
  {
    route: routes.nodePools,
    path: '/karpenter/nodepools',
    component: NodePoolsPage,
    entry: 'kerf-nodepools',
    textKey: 'nodePools',
  },
  { route: routes.nodePool, path: '/karpenter/nodepools/:name', component: NodePoolPage, entry: 'kerf-nodepools' },
  {
    route: routes.nodeClaims,
    path: '/karpenter/nodeclaims',
    component: NodeClaimsPage,
    entry: 'kerf-nodeclaims',
    textKey: 'nodeClaims',
  },
  { route: routes.nodeClaim, path: '/karpenter/nodeclaims/:name', component: NodeClaimPage, entry: 'kerf-nodeclaims' },
  {
    route: routes.nodeClasses,
    path: '/karpenter/nodeclasses',
    component: NodeClassesPage,
    entry: 'kerf-nodeclasses',
    textKey: 'nodeClasses',
  },
  {
    route: routes.nodeClass,
    path: '/karpenter/nodeclasses/:group/:kind/:name',
    component: NodeClassPage,
    entry: 'kerf-nodeclasses',
  },
  {
    route: routes.nodeOverlays,
    path: '/karpenter/nodeoverlays',
    component: NodeOverlaysPage,
    entry: 'kerf-nodeoverlays',
    textKey: 'nodeOverlays',
  },
  {
    route: routes.nodeOverlay,
    path: '/karpenter/nodeoverlays/:name',
    component: NodeOverlayPage,
    entry: 'kerf-nodeoverlays',
  },
  {
    route: routes.capacityBuffers,
    path: '/karpenter/capacitybuffers',
    component: CapacityBuffersPage,
    entry: 'kerf-capacitybuffers',
    textKey: 'capacityBuffers',
  },
  {
    route: routes.capacityBuffer,
    path: '/karpenter/capacitybuffers/:namespace/:name',
    component: CapacityBufferPage,
    entry: 'kerf-capacitybuffers',
  },
  {
    route: routes.pendingPods,
    path: '/karpenter/pending-pods',
    component: PendingPodsPage,
    entry: 'kerf-pending-pods',
    textKey: 'pendingPods',
  },
  {
    route: routes.decisions,
    path: '/karpenter/decisions',
    component: DecisionsPage,
    entry: 'kerf-decisions',
    textKey: 'decisions',
  },
  {
    route: routes.metrics,
    path: '/karpenter/metrics',
    component: MetricsPage,
    entry: 'kerf-metrics',
    textKey: 'metrics',
  },
  {
    route: routes.fullness,
    path: '/karpenter/fullness',
    component: FullnessPage,
    entry: 'kerf-fullness',
    textKey: 'fullness',
  },
  {
    route: routes.policies,
    path: '/karpenter/policies',
    component: PoliciesPage,
    entry: 'kerf-policies',
    textKey: 'policies',
  },
]

for (const { route, path, component, entry } of pages) {
  registerRoute({ path, name: route, sidebar: entry, exact: true, component })
}

const registerEntries = (): void => {
  const t = translatorNow()
  registerSidebarEntry({ parent: null, name: ROOT, label: 'Karpenter', icon: ICON, url: '/karpenter' })
  for (const { path, entry, textKey } of pages) {
    if (textKey !== undefined) registerSidebarEntry({ parent: ROOT, name: entry, label: t(textKey), url: path })
  }
}

// On a cluster without NodePools, all of the plugin's entries are hidden. The sidebar applies this filter again
// whenever an entry is registered.
registerSidebarEntryFilter((entry) => {
  if (entry.name !== ROOT) return entry
  const cluster = Utils.getCluster()
  return cluster === null || clusterDiscovery(cluster).state !== 'present' ? null : entry
})
onDiscovery(registerEntries)
registerEntries()

addToOtherPages()
// Older versions of Headlamp have no panels. In these versions, the page that opens the editor also shows it.
if (typeof registerUIPanel === 'function')
  registerUIPanel({ id: 'kerf-editor', side: 'bottom', component: EditorPanel })
registerMapSource(mapSource(translatorNow()))
registerKindIcons()
registerPluginSettings(PLUGIN_NAME, SettingsPage)
