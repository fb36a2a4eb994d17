import { Component, type ReactNode } from 'react'
import { Note } from './note.tsx'

interface Props {
  /** A change of this value causes another attempt. */
  readonly of: unknown
  readonly children: ReactNode
}

/** Shows an error in place of a part of a page that cannot be rendered, so that the rest stays visible. */
export class Boundary extends Component<Props, { readonly problem?: string | undefined }> {
  override state: { readonly problem?: string | undefined } = {}

  static getDerivedStateFromError(error: unknown): { readonly problem: string } {
    return { problem: error instanceof Error ? error.message : String(error) }
  }

  override componentDidUpdate({ of }: Props): void {
    if (of !== this.props.of && this.state.problem !== undefined) this.setState({ problem: undefined })
  }

  override render(): ReactNode {
    return this.state.problem === undefined ? this.props.children : <Note tone="warning">{this.state.problem}</Note>
  }
}
