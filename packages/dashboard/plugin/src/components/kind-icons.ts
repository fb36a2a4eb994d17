import { ownValue } from '@kerf/apis'

/** The icons are part of the plugin, because Headlamp would request unknown icons from the Internet. */
const paths: Readonly<Record<string, string>> = {
  NodePool: 'M3 5h8v6H3zM13 5h8v6h-8zM3 13h8v6H3zM13 13h8v6h-8z',
  NodeClaim: 'M4 4h16v12H4zM8 20h8M12 16v4M8 10l3 3 5-6',
  Node: 'M4 5h16v5H4zM4 14h16v5H4zM7 7.5h2M7 16.5h2',
  NodeClass: 'M12 3l8 4.5v9L12 21l-8-4.5v-9zM4 7.5l8 4.5 8-4.5M12 12v9',
  NodeOverlay: 'M4 8h12v12H4zM8 8V4h12v12h-4',
  CapacityBuffer: 'M4 20V9l8-5 8 5v11zM9 20v-6h6v6',
  Pod: 'M12 3l7.5 3.5 1.8 8L16.1 21H7.9l-5.2-6.5 1.8-8zM8.5 9L12 7.5 15.5 9v5L12 16l-3.5-2z',
}

/** Returns the icon of a kind in Headlamp's icon format. */
export const drawn = (kind: string) => ({
  body: `<path fill="none" stroke="currentColor" stroke-width="1.8" stroke-linejoin="round" stroke-linecap="round" d="${
    ownValue(paths, kind) ?? paths['NodeClass']
  }"/>`,
  width: 24,
  height: 24,
})

/** The plugin's resource kinds except node classes, with their API groups. */
export const kindIcons: readonly (readonly [kind: string, groups: readonly string[]])[] = [
  ['NodePool', ['karpenter.sh']],
  ['NodeClaim', ['karpenter.sh']],
  ['NodeOverlay', ['karpenter.sh']],
  ['CapacityBuffer', ['autoscaling.x-k8s.io']],
]
