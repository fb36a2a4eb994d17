import { CreateError } from '@kerf/provider-contract'

/** Kerf cannot copy the bootstrap metadata of the cluster's own nodes, so it cannot launch. */
export class BootstrapSourceError extends CreateError {
  readonly problem: string
  readonly remedy: string

  /**
   * @param problem what is wrong, as a clause
   * @param remedy what the user must do, as a clause
   */
  constructor(problem: string, remedy: string) {
    super('BootstrapSourceMissing', `${problem}; ${remedy}`)
    this.problem = problem
    this.remedy = remedy
  }
}
