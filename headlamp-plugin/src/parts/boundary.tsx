import { Component, type ReactNode } from 'react'
import { Note } from './note.tsx'

interface Props {
  /** Changes when another try makes sense. */
  readonly of: unknown
  readonly children: ReactNode
}

/** Keeps what is around it when a part of a page cannot be drawn, and says why in its place. */
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
