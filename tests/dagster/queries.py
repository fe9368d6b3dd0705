"""What Dagster's web UI asks, reduced to what the tests look at."""

LAUNCH = """
mutation Launch($params: ExecutionParams!) {
  launchPipelineExecution(executionParams: $params) {
    __typename
    ... on LaunchRunSuccess { run { runId } }
    ... on PythonError { message stack }
    ... on RunConfigValidationInvalid { errors { message } }
    ... on InvalidSubsetError { message }
  }
}
"""

BACKFILL = """
mutation Backfill($params: LaunchBackfillParams!) {
  launchPartitionBackfill(backfillParams: $params) {
    __typename
    ... on LaunchBackfillSuccess { backfillId }
    ... on PythonError { message stack }
    ... on PartitionKeysNotFoundError { message }
  }
}
"""

TERMINATE = """
mutation Terminate($runId: String!) {
  terminateRun(runId: $runId, terminatePolicy: SAFE_TERMINATE) {
    __typename
    ... on TerminateRunFailure { message }
    ... on PythonError { message stack }
  }
}
"""

ASSET = """
query Asset($key: AssetKeyInput!, $partitions: [String!]!) {
  assetNodeOrError(assetKey: $key) {
    ... on AssetNode {
      staleStatusByPartition(partitions: $partitions)
      dataVersionByPartition(partitions: $partitions)
      assetPartitionStatuses {
        ... on DefaultPartitionStatuses { materializedPartitions failedPartitions }
      }
      assetChecksOrError {
        ... on AssetChecks {
          checks {
            name
            partitionStatuses {
              ... on AssetCheckDefaultPartitionStatuses { succeededPartitions failedPartitions skippedPartitions }
            }
          }
        }
      }
    }
  }
}
"""
