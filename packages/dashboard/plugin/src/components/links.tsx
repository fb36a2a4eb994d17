import { Link } from '@kinvolk/headlamp-plugin/lib/CommonComponents'
import { routes } from '../cluster/classes.ts'
import type { NodeClassRef } from '../model/node-class-kinds.ts'

interface Named {
  readonly name: string | undefined
}

export const PoolLink = ({ name }: Named) =>
  name === undefined ? null : (
    <Link routeName={routes.nodePool} params={{ name }}>
      {name}
    </Link>
  )

export const ClaimLink = ({ name }: Named) =>
  name === undefined ? null : (
    <Link routeName={routes.nodeClaim} params={{ name }}>
      {name}
    </Link>
  )

export const NodeLink = ({ name }: Named) =>
  name === undefined ? null : (
    <Link routeName="node" params={{ name }}>
      {name}
    </Link>
  )

export const PodLink = ({ name, namespace }: { readonly name: string; readonly namespace: string }) => (
  <Link routeName="pod" params={{ name, namespace }}>
    {name}
  </Link>
)

/** Links to the node class by group, kind and name, because node classes of several providers may have the same name. */
export const ClassLink = ({ to }: { readonly to: NodeClassRef | undefined }) =>
  to === undefined ? null : (
    <Link routeName={routes.nodeClass} params={{ group: to.group || '-', kind: to.kind || '-', name: to.name }}>
      {to.name}
    </Link>
  )
