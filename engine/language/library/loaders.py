# SPDX-License-Identifier: GPL-3.0-or-later
# torch.utils.data: torch.utils.data.DataLoader is data_DataLoader here. Batches come in the order of
# the data set. A program reads them in lines around it, which give its inputs.

class data_Dataset:
    pass

class data_TensorDataset(data_Dataset):
    def __init__(self, *tensors):
        for tensor in tensors:
            assert tensor.shape[0] == tensors[0].shape[0], "tensors of a data set have the same number of rows"
        self.tensors = tensors
    def __getitem__(self, index):
        return tuple([tensor[index] for tensor in self.tensors])
    def __len__(self):
        return self.tensors[0].shape[0]

# A program sees only what a batch is like: the first sample stands for the others.
def _joined(items):
    return torch.index_select(items[0].unsqueeze(0), 0, torch.zeros(len(items), dtype=torch.int64))

def _collated(items):
    first = items[0]
    if isinstance(first, (list, tuple)):
        return [_collated([item[i] for item in items]) for i in range(len(first))]
    if isinstance(first, dict):
        return {key: _collated([item[key] for item in items]) for key in first}
    return _joined(items) if torch.is_tensor(first) else torch.tensor(items)

class data_DataLoader:
    def __init__(self, dataset, batch_size=1, shuffle=None, sampler=None, batch_sampler=None, num_workers=0, collate_fn=None, pin_memory=False, drop_last=False, **settings):
        assert batch_size is not None and batch_sampler is None, "DataLoader is there with a batch_size"
        self.dataset = dataset
        self.batch_size = batch_size
        self.collate_fn = _collated if collate_fn is None else collate_fn
        self.drop_last = drop_last
    def __len__(self):
        count = len(self.dataset)
        return count // self.batch_size if self.drop_last else (count + self.batch_size - 1) // self.batch_size
    def __iter__(self):
        count = len(self.dataset)
        for batch in range(len(self)):
            first, last = batch * self.batch_size, min(count, (batch + 1) * self.batch_size)
            if isinstance(self.dataset, data_TensorDataset) and self.collate_fn is _collated:
                yield [tensor[first:last] for tensor in self.dataset.tensors]
            else:
                yield self.collate_fn([self.dataset[i] for i in range(first, last)])
