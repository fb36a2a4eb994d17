import { Component, type ReactNode } from 'react'
import { Note } from './note.tsx'

interface Props {
  /** The value for which the children are rendered. When it changes, they are rendered again, even after an error. */
  readonly of: unknown
  readonly children: ReactNode
}

/** If its children cannot be rendered, shows the error in their place, so that the rest of the page stays visible. */
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
